// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.fault;

import io.mortise.lock.spi.LockBackend;
import java.time.Duration;
import java.util.Map;
import org.opentest4j.TestAbortedException;

/**
 * The faults that a backend author's test class can cause in its store, such as restarts, cut connections and lost
 * data. Optional: a class that extends {@code LockBackendTck} may also implement this. Each method that it does not
 * override skips the cases that need it. Every method returns when what it says has happened.
 */
public interface Faults {
    /** Freezes the store: no call is answered until {@link #resumeStore()}, and none fails at once. */
    default void pauseStore() {
        throw unsupported("pauseStore");
    }

    /** Ends {@link #pauseStore()}. Called in any case, also if the store is not paused. */
    default void resumeStore() {}

    /** Stops the store and starts it again, with its data, where clients find it. */
    default void restartStore() {
        throw unsupported("restartStore");
    }

    /**
     * Stops the store and starts it again without its data. A store that declares
     * {@link io.mortise.lock.spi.SafetyLevel#QUORUM} or more loses as many of its servers' data as it survives.
     */
    default void restartStoreEmpty() {
        throw unsupported("restartStoreEmpty");
    }

    /**
     * Takes from the clients, those that are connected and those to come, the permission that locks need: the store answers
     * their calls, and will not. It keeps what it has.
     */
    default void withdrawPermission() {
        throw unsupported("withdrawPermission");
    }

    /** Ends {@link #withdrawPermission()}. Called in any case, also if nothing was withdrawn. */
    default void givePermissionBack() {}

    /**
     * Ends the lease of a lock as if its time were over, without a word to its holder.
     *
     * @param lock the name
     */
    default void expireNow(String lock) {
        throw unsupported("expireNow");
    }

    /**
     * Removes all that the store keeps about a lock, token counter included, as eviction or a careless operator does.
     *
     * @param lock the name
     */
    default void deleteBehindBack(String lock) {
        throw unsupported("deleteBehindBack");
    }

    /**
     * Writes what looks like a holder, but never ends, as a client does that dies between two steps.
     * {@link #deleteBehindBack} removes it.
     *
     * @param lock the name, which nobody holds
     */
    default void writeWithoutEnd(String lock) {
        throw unsupported("writeWithoutEnd");
    }

    /**
     * Ends the session of a client in the store as if its time were over, and with it what the client holds.
     *
     * @param client what {@code LockBackendTck.open} answered
     */
    default void endSession(LockBackend client) {
        throw unsupported("endSession");
    }

    /** Cuts all connections of all clients, those included by which they are told. They may connect again at once. */
    default void killConnections() {
        throw unsupported("killConnections");
    }

    /**
     * How many operations the store has carried out for its clients, whatever its unit is: commands, requests, statements.
     *
     * @return the count since any moment; it never falls
     */
    default long operations() {
        throw unsupported("operations");
    }

    /**
     * A way of its own to the store for one client.
     *
     * @return a new and undisturbed one; closed by the suite
     */
    default Route route() {
        throw unsupported("route");
    }

    /**
     * Lets a client's host have another time of day than the store's, its monotonic clock untouched. For stores whose clients
     * may be on other hosts; where all share one clock there is nothing to show.
     *
     * @param ahead by how much; negative if the clock is slow
     * @return the variables in the environment of a child JVM for which this is the time
     */
    default Map<String, String> environmentWithClock(Duration ahead) {
        throw unsupported("environmentWithClock");
    }

    private static TestAbortedException unsupported(String method) {
        return new TestAbortedException(
                "skipped: the test class cannot do this to its store; to enable the case, let it implement Faults."
                        + method);
    }
}
