// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.scripts;

import java.time.Duration;

/**
 * Says how many replicas must confirm a grant or a renewal before it counts, and how long a call waits for them. Immutable.
 *
 * @param replicas 0 if the master alone is enough
 */
public record Replication(int replicas, Duration timeout) {
    public static final Replication NONE = new Replication(0, Duration.ofMillis(1));
}
