// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.claim;

import io.mortise.lock.zookeeper.internal.session.DaemonScheduler;
import io.mortise.lock.zookeeper.internal.session.Session;
import io.mortise.lock.zookeeper.internal.token.FencedGrant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The claims of one client that hold a lock or wait for one, and what each of them holds. Thread-safe.
 */
public final class OpenClaims {
    private final DaemonScheduler scheduler;
    private final Set<ClaimState> open = ConcurrentHashMap.newKeySet();

    /** What claims hold, by the path of the queue. */
    private final Map<String, FencedGrant> grants = new ConcurrentHashMap<>();

    public OpenClaims(DaemonScheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** A claim begins to hold or wait. */
    void opened(ClaimState claim) {
        open.add(claim);
    }

    void closed(ClaimState claim) {
        open.remove(claim);
    }

    void granted(String queue, FencedGrant grant) {
        grants.put(queue, grant);
    }

    void lost(String queue, @Nullable FencedGrant grant) {
        grants.remove(queue, grant);
    }

    /** What this client holds, by the path of the queue; null if nothing. */
    public @Nullable FencedGrant grantOf(String queue) {
        return grants.get(queue);
    }

    Future<?> after(long nanos, Runnable task) {
        return scheduler.after(nanos, task);
    }

    /** Ends them all, as the client closes. */
    public void endAll() {
        List.copyOf(open).forEach(ClaimState::end);
    }

    /** Tells the holders whose locks have ended with a session. */
    public void sessionEnded(Session ended) {
        List.copyOf(open).forEach(claim -> claim.sessionEnded(ended));
    }
}
