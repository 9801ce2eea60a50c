// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring.integration;

import io.mortise.lock.DistributedReentrantLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockLostException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * Gives Spring Integration locks in the store of a {@link LockClient}. They are re-entrant, belong to threads, and are renewed until they
 * are unlocked. Keeps nothing of its own, so that there is nothing to expire. Runs with Spring Integration 6.5 and 7.0. Thread-safe.
 *
 * <p>A lock whose lease was lost tells so when it is used next: {@code unlock()}, and {@code lock()} by the thread that has it, throw
 * {@link LockLostException}, where the registries of Spring Integration throw a {@code ConcurrentModificationException} or nothing.
 */
public final class MortiseLockRegistry implements RenewableLockRegistry {
    private final LockClient client;

    /**
     * A registry over a client, which stays open.
     *
     * @param client the client
     */
    public MortiseLockRegistry(LockClient client) {
        this.client = Objects.requireNonNull(client, "client");
    }

    /**
     * {@return the lock of a name; the same one each time} No I/O.
     *
     * @param key the name of the lock, a string
     * @throws IllegalArgumentException if it is not a string: of most objects, processes do not make the same name
     */
    @Override
    public Lock obtain(Object key) {
        return lock(key);
    }

    private DistributedReentrantLock lock(Object key) {
        if (key instanceof String name) {
            return client.lock(name).asLock();
        }
        throw new IllegalArgumentException("the key of a lock must be a string, and not "
                + (key == null ? "null" : "a " + key.getClass().getName()));
    }

    /**
     * Checks that the calling thread holds a lock. There is nothing to do: the client renews it. No I/O.
     *
     * @param key the name of the lock
     * @throws LockLostException if the lease was lost
     * @throws IllegalStateException if the thread does not hold the lock
     */
    @Override
    public void renewLock(Object key) {
        held(key).ensureHeld();
    }

    /**
     * Lets a lock of the calling thread last for at least so long from now on, as {@link Lease#extend} does. Spring Integration 7.0 has
     * this method, and 6.5 has not.
     *
     * @param key the name of the lock
     * @param length how long it is to last, positive
     * @throws LockLostException if the lease was lost
     * @throws IllegalStateException if the thread does not hold the lock
     * @throws IllegalArgumentException if {@code length} is not positive, or longer than the store can honour
     */
    public void renewLock(Object key, Duration length) {
        Duration unused = held(key).extend(length);
    }

    private Lease held(Object key) {
        return lock(key)
                .lease()
                .orElseThrow(() -> new IllegalStateException("this thread does not hold lock '" + key + "'"));
    }
}
