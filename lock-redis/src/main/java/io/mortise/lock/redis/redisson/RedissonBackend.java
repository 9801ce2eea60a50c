// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.redisson;

import static io.mortise.lock.redis.connections.RedisFailures.STORE;

import io.mortise.lock.LockHolder;
import io.mortise.lock.redis.connections.Connections;
import io.mortise.lock.redis.connections.RedisReply;
import io.mortise.lock.redis.connections.Topology;
import io.mortise.lock.redis.scripts.ScriptRunner;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.SafetyLevel;
import io.mortise.lock.spi.support.CallDeadline;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Locks as Redisson's {@code RLock} does, so that its clients and clients of this backend keep each other out: for a fleet that moves
 * from there. A lock is a hash at its name, with a field for its holder; whoever releases it publishes that. Read from
 * Redisson 4.7. It has no tokens, no list and no revocation, and waiting clients poll. Thread-safe.
 *
 * <p>It promises no more than Redisson does: a try that arrives after its claim was released may keep the lock from others for a lease.
 */
public final class RedissonBackend implements LockBackend {
    private final Connections connections;
    private final ScriptRunner scripts;

    public RedissonBackend(Topology topology) {
        connections = new Connections(topology);
        scripts = new ScriptRunner(connections);
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        return new RedissonClaim(scripts, request);
    }

    @Override
    public Set<Feature> features() {
        return Set.of();
    }

    @Override
    public SafetyLevel safetyLevel() {
        return SafetyLevel.SINGLE_STORE;
    }

    /** Of a holder with Redisson, the label is its client and thread. Since when it holds is not known. */
    @Override
    public Optional<LockHolder> inspect(String lock, Duration atMost) {
        return CallDeadline.uninterruptibly(STORE, atMost, deadline -> {
            List<?> told = (List<?>) scripts.run(RedissonClaim.call(lock, "inspect"), deadline);
            return told.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new LockHolder(
                            lock,
                            RedissonClaim.label(RedisReply.text(told.get(0))),
                            0,
                            Duration.ZERO,
                            Optional.of(Duration.ofMillis(Math.max(0, RedisReply.number(told.get(1))))),
                            OptionalInt.empty(),
                            Optional.empty()));
        });
    }

    /** Closes the connections of its URL. */
    @Override
    public void close() {
        connections.close();
    }
}
