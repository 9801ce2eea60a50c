// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.peers;

import io.mortise.lock.migration.fleet.FleetProgram;
import io.mortise.lock.migration.fleet.FleetProgram.Held;
import io.mortise.lock.migration.fleet.FleetProgram.Locks;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** A process of a fleet that locks with Redisson. */
final class RedissonProgram {
    private RedissonProgram() {}

    /** As {@link FleetProgram#main}. */
    public static void main(String[] arguments) throws Exception {
        FleetProgram.run(arguments, url -> {
            Config config = new Config();
            config.useSingleServer().setAddress(url).setConnectionPoolSize(8).setConnectionMinimumIdleSize(1);
            return new RedissonLocks(Redisson.create(config));
        });
    }

    private record RedissonLocks(RedissonClient client) implements Locks {
        @Override
        public Optional<Held> tryAcquire(String lock, Duration wait) throws InterruptedException {
            RLock wanted = client.getLock(lock);
            boolean had = wanted.tryLock(wait.toMillis(), FleetProgram.LEASE.toMillis(), TimeUnit.MILLISECONDS);
            // It does not tell since when: half of the lease is left for the way of its answer.
            return had
                    ? Optional.of(new HeldForTime(wanted::unlock, System.nanoTime() + FleetProgram.LEASE.toNanos() / 2))
                    : Optional.empty();
        }

        @Override
        public void close() {
            client.shutdown();
        }
    }
}
