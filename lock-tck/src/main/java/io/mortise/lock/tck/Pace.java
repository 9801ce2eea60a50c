// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** How a case deals with time: lower bounds are exact, upper bounds generous, nothing is waited for without a limit. */
public sealed interface Pace permits Scene {
    /**
     * The lease that locks of this scene have.
     *
     * @return the author's lease, times the patience factor
     */
    Duration lease();

    /**
     * How long the store may keep what a process had that died.
     *
     * @return the lease or the author's session time-out, and two seconds and the tolerance
     */
    Duration afterDeath();

    /**
     * How long waiters that died may hold up those behind them, all together.
     *
     * @return a second and the author's session time-out, a lease more if the store does not nudge, and the tolerance
     */
    Duration deadWaiters();

    /**
     * What an answer may take that should come at once.
     *
     * @return ten measured round trips and a quarter of a second, times the patience factor
     */
    Duration tolerance();

    /**
     * A time-out for calls that a case lets run out.
     *
     * @return 300 ms, times the patience factor
     */
    Duration brief();

    /**
     * How many repetitions a case can afford.
     *
     * @param wanted as many as this if the store is fast
     * @param least as many as this in any case
     * @return the number
     */
    int times(int wanted, int least);

    /**
     * How long to wait for what must come some time.
     *
     * @return ten seconds and ten leases, times the patience factor
     */
    Duration limit();

    /**
     * A part or a multiple of the lease.
     *
     * @param factor how much of it
     * @return that long
     */
    default Duration leases(double factor) {
        return Duration.ofNanos((long) (lease().toNanos() * factor));
    }

    /**
     * Lets real time pass, for leases that must end.
     *
     * @param duration how much
     * @throws InterruptedException if the case is cancelled
     */
    default void pass(Duration duration) throws InterruptedException {
        Pause.of(duration);
    }

    /**
     * Waits until something is so; fails the case if it does not become so in time.
     *
     * @param what what is waited for, for the failure
     * @param atMost how long to wait
     * @param condition asked again and again
     * @throws InterruptedException if the case is cancelled
     */
    default void await(String what, Duration atMost, BooleanSupplier condition) throws InterruptedException {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > atMost.toNanos()) {
                throw new AssertionError("within " + atMost.toMillis() + " ms this did not become so: " + what);
            }
            Pause.of(Duration.ofMillis(2));
        }
    }
}
