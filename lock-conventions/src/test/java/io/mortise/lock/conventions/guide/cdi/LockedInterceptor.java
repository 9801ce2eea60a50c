// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions.guide.cdi;

import io.mortise.lock.LockClient;
import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

@Locked
@Interceptor
@Priority(Interceptor.Priority.PLATFORM_BEFORE)
public class LockedInterceptor {
    @Inject
    LockClient locks;

    @AroundInvoke
    Object underLock(InvocationContext call) throws Exception {
        Method method = call.getMethod();
        if (CompletionStage.class.isAssignableFrom(method.getReturnType())) {
            throw new IllegalStateException(method + " goes on after it has returned: use acquireAsync() in it");
        }
        Locked locked = Objects.requireNonNull(method.getAnnotation(Locked.class), "write @Locked at the method");
        return locks.lock(locked.name()).call(lease -> call.proceed());
    }
}
