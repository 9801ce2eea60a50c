// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.shedlock;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockReleaseException;
import io.mortise.lock.LockStoreException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * Keeps ShedLock's locks in the store of a {@link LockClient}. Code that uses ShedLock's annotations stays as it is, and may use the
 * locks of the client besides. Thread-safe.
 *
 * <p>A lock lasts until it is unlocked, for {@code lockAtMostFor} at most: after that time another process gets it, though the task may
 * still run. Until then the client renews it, so that {@code lockAtMostFor} may be longer than the leases that the store can honour. If
 * the process dies, the lock is free when its lease ends, and need not wait for {@code lockAtMostFor}.
 *
 * <p>{@code lockAtLeastFor} is kept by the store, also if the process ends. A store whose locks end with a session, such as ZooKeeper,
 * cannot do that, and such a lock is refused. A lock that was extended with a {@code lockAtLeastFor} is kept so long by this process.
 *
 * <p>The clocks of the processes need not agree.
 */
public final class MortiseLockProvider implements ExtensibleLockProvider {
    /** Less would be used up by an answer that takes long. A lock that is to last for less is released in time. */
    private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);

    private final LockClient client;

    /**
     * A provider over a client, which stays open.
     *
     * @param client the client; its options say how long leases are, and what label they have
     */
    public MortiseLockProvider(LockClient client) {
        this.client = Objects.requireNonNull(client, "client");
    }

    /**
     * Takes a lock if it is free, without waiting for others. Asks the store as {@link DistributedLock#tryAcquire()} does.
     *
     * @param configuration what ShedLock asks for
     * @return the lock, or empty if others hold it
     * @throws LockStoreException if the store did not answer
     * @throws LockConfigurationException if the store refuses for good, or cannot keep a lock for {@code lockAtLeastFor}
     */
    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        LockOptions options = client.options()
                .withLease(lease(configuration.getLockAtMostFor()))
                .withRenewal(true);
        Duration atLeast = configuration.getLockAtLeastFor();
        if (!atLeast.isZero()) {
            options = options.withMinHold(atLeast);
        }
        long begin = System.nanoTime();
        return client.lock(configuration.getName(), options)
                .tryAcquire()
                .map(lease -> new LeaseLock(configuration, lease, begin, begin));
    }

    /** As long as the client's leases are, and not much longer than the lock may last. */
    private Duration lease(Duration atMost) {
        Duration usual = client.options().lease();
        Duration shortest = client.leaseBounds().shortest();
        Duration least = shortest.compareTo(SHORTEST_LEASE) > 0 ? shortest : SHORTEST_LEASE;
        if (atMost.compareTo(least) < 0) {
            return least;
        }
        return atMost.compareTo(usual) < 0 ? atMost : usual;
    }

    private final class LeaseLock extends AbstractSimpleLock {
        private final Lease lease;
        private final long keptUntil;
        private final long endsAt;
        private final CompletableFuture<Void> end;

        /**
         * A lock that is held.
         *
         * @param begin from when on the configuration's times count, in the time of {@link System#nanoTime()}
         * @param keptUntil until when this process keeps it
         */
        LeaseLock(LockConfiguration configuration, Lease lease, long begin, long keptUntil) {
            super(configuration);
            this.lease = lease;
            this.keptUntil = keptUntil;
            endsAt = begin + configuration.getLockAtMostFor().toNanos();
            end = releaseAt(endsAt);
        }

        private CompletableFuture<Void> releaseAt(long moment) {
            return CompletableFuture.runAsync(
                    this::releaseQuietly,
                    CompletableFuture.delayedExecutor(moment - System.nanoTime(), TimeUnit.NANOSECONDS));
        }

        private void releaseQuietly() {
            try {
                boolean unused = lease.release();
            } catch (LockReleaseException unanswered) {
                // The client tries again in the background, and nobody waits for the answer.
            }
        }

        /**
         * Releases the lock, when {@code lockAtLeastFor} is over. A lock that has ended is left alone.
         *
         * @throws LockReleaseException if the store did not answer; the release is tried again in the background
         */
        @Override
        protected void doUnlock() {
            boolean unused = end.cancel(false);
            if (keptUntil - System.nanoTime() > 0) {
                CompletableFuture<Void> unusedTimer = releaseAt(keptUntil);
            } else {
                boolean unusedAnswer = lease.release();
            }
        }

        /** Lets the lock last for {@code lockAtMostFor} from now on; empty if it has ended, and then it is released. */
        @Override
        protected Optional<SimpleLock> doExtend(LockConfiguration longer) {
            if (System.nanoTime() - endsAt >= 0) {
                releaseQuietly();
                return Optional.empty();
            }
            Duration longest =
                    client.leaseBounds().longest().minus(client.options().lockDelay());
            Duration wanted = longer.getLockAtMostFor();
            long begin = System.nanoTime();
            try {
                // Renewals go on from there, also if the store does not answer this one.
                Duration unused = lease.extend(wanted.compareTo(longest) < 0 ? wanted : longest);
            } catch (LockLostException | IllegalStateException ended) {
                return Optional.empty();
            }
            boolean unused = end.cancel(false);
            return Optional.of(new LeaseLock(
                    longer, lease, begin, begin + longer.getLockAtLeastFor().toNanos()));
        }
    }
}
