// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import java.lang.reflect.Method;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;

/** Runs methods with {@link Locked} and {@link LockedJob} under their locks. Thread-safe. */
final class LockedMethodInterceptor implements MethodInterceptor {
    private static final System.Logger LOG = System.getLogger(LockedMethodInterceptor.class.getName());

    private final Supplier<LockClient> client;
    private final Supplier<LockDecorator> decorator;
    private final BiFunction<Method, Class<?>, LockedMethod> methods;

    /**
     * Acts for one client.
     *
     * @param client asked for when a method is called, when all beans are there
     * @param decorator the same
     * @param methods what is known of a method of a class
     */
    LockedMethodInterceptor(
            Supplier<LockClient> client,
            Supplier<LockDecorator> decorator,
            BiFunction<Method, Class<?>, LockedMethod> methods) {
        this.client = client;
        this.decorator = decorator;
        this.methods = methods;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object bean = Objects.requireNonNull(invocation.getThis(), "a bean");
        Class<?> type = AopUtils.getTargetClass(bean);
        Method method = AopUtils.getMostSpecificMethod(invocation.getMethod(), type);
        LockedMethod locked = methods.apply(method, type);
        DistributedLock lock = decorator.get().decorate(locked.lock(client.get(), bean, invocation.getArguments()));
        return switch (locked.way()) {
            case WAIT -> wait(lock, invocation);
            case WAIT_WITHOUT_THREAD ->
                new LockedStage(lock, ((ProxyMethodInvocation) invocation).invocableClone()).start();
            case SKIP -> runOrSkip(lock, invocation);
        };
    }

    private static @Nullable Object wait(DistributedLock lock, MethodInvocation invocation) throws Throwable {
        Optional<Lease> outer = CurrentLease.of(lock.name());
        if (outer.isPresent()) {
            outer.get().ensureHeld();
            return CurrentLease.during(outer.get(), () -> proceed(invocation));
        }
        AtomicBoolean ran = new AtomicBoolean();
        try {
            return lock.<@Nullable Object, Exception>call(lease -> {
                ran.set(true);
                return CurrentLease.during(lease, () -> proceed(invocation));
            });
        } catch (InterruptedException interrupted) {
            if (ran.get() || declaresInterrupts(invocation)) {
                throw interrupted;
            }
            Thread.currentThread().interrupt();
            CancellationException cancelled =
                    new CancellationException("interrupted while waiting for lock '" + lock.name() + "'");
            cancelled.initCause(interrupted);
            throw cancelled;
        }
    }

    private static boolean declaresInterrupts(MethodInvocation invocation) {
        return Arrays.stream(invocation.getMethod().getExceptionTypes())
                .anyMatch(type -> type.isAssignableFrom(InterruptedException.class));
    }

    private static @Nullable Object runOrSkip(DistributedLock lock, MethodInvocation invocation) throws Exception {
        boolean ran = lock.tryRun(lease -> CurrentLease.during(lease, () -> proceed(invocation)));
        if (!ran) {
            LOG.log(
                    System.Logger.Level.DEBUG,
                    () -> "skipped " + invocation.getMethod() + ": others hold lock '" + lock.name() + "'");
        }
        return null;
    }

    static @Nullable Object proceed(MethodInvocation invocation) throws Exception {
        try {
            return invocation.proceed();
        } catch (Exception | Error failure) {
            throw failure;
        } catch (Throwable unusual) {
            throw new UndeclaredThrowableException(unusual);
        }
    }
}
