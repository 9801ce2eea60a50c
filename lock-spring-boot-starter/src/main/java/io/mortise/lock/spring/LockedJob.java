// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Lets a job that all processes of a fleet start at the same times, such as one with {@code @Scheduled}, run in one of them each
 * time. The method runs if the lock is free, and is skipped if another process has it: skipped runs are counted as calls whose
 * outcome is {@code busy}.
 *
 * <p>The lock is kept until the job ends <em>and</em> {@link #atLeast()} has passed, so that a process whose clock is a little late
 * does not run a short job again. The lease is renewed while the job runs. If the process dies, the lock is free when the lease
 * ends, but not before {@link #atLeast()} has passed.
 *
 * <p>If the lease is lost, the thread of the job is interrupted, and {@link io.mortise.lock.LockLostException} is thrown after the
 * job. If the store does not answer, the job does not run, and {@link io.mortise.lock.LockStoreException} is thrown. A scheduler logs
 * both, and starts the job again at the next time.
 *
 * <p>The method returns nothing. Otherwise the same holds as for {@link Locked}: only calls through the bean count, as a scheduler's do,
 * and what cannot work is refused when the bean is made.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface LockedJob {
    /**
     * {@return the name of the lock; by default the name of the class and the method, such as {@code com.example.Reports.nightly}}
     * Properties are resolved.
     */
    String name() default "";

    /**
     * {@return how long the lock is kept at least, from the start of the job on, such as {@code 10s}: longer than the clocks of the
     * fleet are apart, and shorter than the time between two runs; {@code 0s} if the same run may be made twice} Properties are
     * resolved.
     */
    String atLeast();

    /**
     * {@return how long the job may have the lock at most, such as {@code 1h}; by default as long as it runs} Properties are resolved.
     * When the time is over, the lease is lost.
     */
    String atMost() default "";
}
