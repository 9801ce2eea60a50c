// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.scripts;

import io.mortise.lock.spi.BackendException;
import java.time.Duration;

/**
 * Sets how many replicas must confirm a grant or a renewal before it counts, and for how long they are waited for.
 * Immutable.
 *
 * @param replicas their number; 0 if the master alone is enough
 * @param timeout for how long they are waited for
 */
public record Replication(int replicas, Duration timeout) {
    /** The master alone is enough. */
    public static final Replication NONE = new Replication(0, Duration.ofMillis(1));

    /**
     * Waits until enough replicas have all that was written over this connection.
     *
     * @throws BackendException if there are not enough in time
     */
    public void confirm(ScriptPipeline pipeline) {
        if (replicas == 0) {
            return;
        }
        long have = pipeline.replicas(replicas, timeout.toMillis());
        if (have < replicas) {
            throw new BackendException(
                    "only " + have + " of " + replicas + " replicas confirmed within " + timeout.toMillis() + " ms",
                    null);
        }
    }
}
