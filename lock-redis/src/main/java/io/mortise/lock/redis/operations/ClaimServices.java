// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.operations;

import io.mortise.lock.redis.connections.ReleaseListener;
import io.mortise.lock.redis.scripts.Replication;
import io.mortise.lock.redis.scripts.ScriptRunner;
import org.jspecify.annotations.Nullable;

/**
 * The key prefix, the script runner, the replication setting, the release listener and the cache of server
 * incarnations that all claims of one backend share. Immutable, with thread-safe parts.
 *
 * @param prefix what all keys begin with
 * @param scripts runs the scripts
 * @param replication how many replicas must confirm a grant or a renewal
 * @param listener nudges claims that wait; null if they poll
 * @param incarnations knows which incarnation of a server answered
 * @param reachable whether PUBLISH tells if anybody listens, as the scripts take it: {@code known} or {@code unknown}
 */
public record ClaimServices(
        String prefix,
        ScriptRunner scripts,
        Replication replication,
        @Nullable ReleaseListener listener,
        StoreIncarnationCache incarnations,
        String reachable) {}
