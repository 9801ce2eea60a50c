// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.spi.support.DurationText;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import java.util.stream.BaseStream;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;

/** A method with {@link Locked} or {@link LockedJob}: what it says, and whether that can work. Immutable, thread-safe. */
final class LockedMethod {
    /** How a call ends that finds the lock held by others. */
    enum Way {
        WAIT,
        WAIT_WITHOUT_THREAD,
        SKIP
    }

    private final Way way;
    private final LockName name;
    private final UnaryOperator<LockOptions> change;

    private LockedMethod(Way way, LockName name, UnaryOperator<LockOptions> change) {
        this.way = way;
        this.name = name;
        this.change = change;
    }

    /** Whether a method, or what it implements or overrides, has an annotation of ours or one that is made of it. */
    static boolean isLocked(Method method) {
        return AnnotatedElementUtils.hasAnnotation(method, Locked.class)
                || AnnotatedElementUtils.hasAnnotation(method, LockedJob.class);
    }

    /**
     * Reads the annotation of a method.
     *
     * @param type the class of the bean
     * @param resolver puts the values of properties in their places
     * @throws LockConfigurationException if what the method says cannot work
     */
    static LockedMethod of(Method method, Class<?> type, UnaryOperator<String> resolver) {
        try {
            checkReachable(method);
            Locked locked = AnnotatedElementUtils.findMergedAnnotation(method, Locked.class);
            LockedJob job = AnnotatedElementUtils.findMergedAnnotation(method, LockedJob.class);
            if (locked != null && job != null) {
                throw new IllegalArgumentException("it has both @Locked and @LockedJob; take one");
            }
            return locked != null ? of(locked, method, resolver) : of(job, method, type, resolver);
        } catch (IllegalArgumentException wrong) {
            throw new LockConfigurationException(
                    "the lock of method " + type.getName() + "." + method.getName() + " cannot work: "
                            + wrong.getMessage(),
                    wrong);
        }
    }

    private static LockedMethod of(Locked locked, Method method, UnaryOperator<String> resolver) {
        Optional<Duration> wait = duration(resolver.apply(locked.maxWait()));
        return new LockedMethod(way(method), LockName.of(resolver.apply(locked.name()), method), options -> wait.map(
                        options::withMaxWait)
                .orElse(options));
    }

    private static LockedMethod of(LockedJob job, Method method, Class<?> type, UnaryOperator<String> resolver) {
        if (method.getReturnType() != void.class) {
            throw new IllegalArgumentException(
                    "a job that may be skipped has no result; let it return void, or use @Locked");
        }
        String name = resolver.apply(job.name());
        Duration atLeast = duration(resolver.apply(job.atLeast()))
                .orElseThrow(() -> new IllegalArgumentException("atLeast is empty; write for example 10s, or 0s"));
        Optional<Duration> atMost = duration(resolver.apply(job.atMost()));
        return new LockedMethod(
                Way.SKIP,
                LockName.of(name.isEmpty() ? type.getName() + "." + method.getName() : name, method),
                options -> {
                    LockOptions kept = atLeast.isZero() ? options : options.withMinHold(atLeast);
                    return atMost.map(kept::withMaxHold).orElse(kept);
                });
    }

    private static Optional<Duration> duration(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(DurationText.parse(text));
    }

    /** Spring overrides methods to act around them. */
    private static void checkReachable(Method method) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isFinal(modifiers) || Modifier.isStatic(modifiers)) {
            throw new IllegalArgumentException(
                    "calls of a private, final or static method cannot be seen; remove that word");
        }
        if (Modifier.isFinal(method.getDeclaringClass().getModifiers())) {
            throw new IllegalArgumentException("calls of a final class cannot be seen; remove that word");
        }
        if (AnnotatedElementUtils.hasAnnotation(method, Async.class)
                || AnnotatedElementUtils.hasAnnotation(method.getDeclaringClass(), Async.class)) {
            throw new IllegalArgumentException(
                    "it is also @Async, and whether it runs before or after the release is not certain; put the lock on a method that it calls");
        }
    }

    private static Way way(Method method) {
        Class<?> result = method.getReturnType();
        if (result == CompletionStage.class || result == CompletableFuture.class) {
            return Way.WAIT_WITHOUT_THREAD;
        }
        boolean comesLater = Future.class.isAssignableFrom(result)
                || CompletionStage.class.isAssignableFrom(result)
                || BaseStream.class.isAssignableFrom(result)
                || Flow.Publisher.class.isAssignableFrom(result)
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(result) != null
                || Arrays.stream(method.getParameterTypes())
                        .anyMatch(type -> type.getName().equals("kotlin.coroutines.Continuation"));
        if (comesLater) {
            throw new IllegalArgumentException("its result, " + result.getSimpleName()
                    + ", comes after the method has returned, and the lock would be free by then;"
                    + " return a CompletionStage, or acquire the lock in the method");
        }
        return Way.WAIT;
    }

    Way way() {
        return way;
    }

    /**
     * {@return the lock of one call}
     *
     * @throws IllegalArgumentException if a part of its name is null, or if the store cannot do what the annotation says
     */
    DistributedLock lock(LockClient client, Object bean, Object[] arguments) {
        return client.lock(name.of(bean, arguments), change.apply(client.options()));
    }
}
