// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.operations;

import io.mortise.lock.redis.connections.ReleaseListener;
import io.mortise.lock.redis.scripts.Replication;
import io.mortise.lock.redis.scripts.ScriptRunner;
import org.jspecify.annotations.Nullable;

/**
 * What all operations of one backend share. Immutable, with thread-safe parts.
 *
 * @param listener nudges claims that wait; null if they poll
 * @param isCluster whether the keys of one script must be in one slot, and PUBLISH does not tell if anybody listens
 */
public record OperationContext(
        String prefix,
        ScriptRunner scripts,
        ClaimCalls calls,
        Replication replication,
        @Nullable ReleaseListener listener,
        StoreIncarnationCache incarnations,
        boolean isCluster) {
    /** As the scripts take it. */
    String reachable() {
        return isCluster ? "unknown" : "known";
    }
}
