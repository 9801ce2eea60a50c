// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring;

import io.mortise.lock.LockException;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockReleaseException;
import io.mortise.lock.LockTimeoutException;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;

/**
 * Runs a method of a Spring bean under a lock. A call waits for the lock, runs the method, and releases the lock, after the
 * transaction of a method that has one.
 *
 * <p>As with each annotation that Spring acts on, only calls from other beans count: a call from within the same object reaches the
 * method directly, without the lock. A method that relies on its lock asks for {@link CurrentLease#get()}, which throws then.
 *
 * <p>A method whose caller on the same thread has the same lock by such a method runs under that lock, and does not wait.
 *
 * <p>A method that returns a {@link CompletionStage} holds the lock until that is complete; it runs on a thread of the client's
 * executor when the lock is granted, and its caller does not wait. Other results that come later, such as {@code Future},
 * {@code Mono} or {@code Stream}, are refused when the bean is made: the lock would be free before they have come. So are methods
 * that are also {@code @Async}, or private, final or static.
 *
 * <p>The caller of the method gets what {@link io.mortise.lock.DistributedLock#call} throws:
 *
 * <ul>
 *   <li>{@link LockTimeoutException} if others still held the lock when {@link #maxWait()} was over: the method has not run
 *   <li>{@link LockLostException} if the lease was lost before the method ended: the method has run, maybe without the lock. The
 *       thread is interrupted when it is lost; a {@link CompletionStage} is not
 *   <li>{@link LockReleaseException} if the method has run under the lock and the store did not answer the release
 *   <li>any other {@link LockException} if the lock could not be acquired: the method has not run
 *   <li>{@link InterruptedException} if the thread was interrupted while it waited and the method declares it; else
 *       {@link CancellationException}, and the thread's flag stays set
 *   <li>{@link IllegalArgumentException} if a part of the lock's name is null
 * </ul>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Locked {
    /**
     * {@return the name of the lock} Text between <code>#{</code> and <code>}</code> is a Spring expression, in which the method's parameters are variables:
     * <code>orders/#{#id}</code>. <code>${…}</code> stands for a property.
     */
    String name();

    /**
     * {@return how long to wait for the lock, such as {@code 2s} or {@code 500ms}; {@code 0s} does not wait for others. By default as
     * long as the options of the client say, which have no limit by default} Properties are resolved.
     */
    String maxWait() default "";
}
