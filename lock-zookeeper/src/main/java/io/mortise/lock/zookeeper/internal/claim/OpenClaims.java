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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The claims of one client that hold a lock or wait for one, and what each of them holds. Ends those whose leases have ended, by
 * looking at all of them when the first may end: most are closed or renewed by then, and none has a task of its own. Thread-safe.
 */
public final class OpenClaims {
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final DaemonScheduler scheduler;
    private final Set<ClaimState> open = ConcurrentHashMap.newKeySet();

    /** What claims hold, by the path of the queue. */
    private final Map<String, FencedGrant> grants = new ConcurrentHashMap<>();

    /** The next look, at {@code lookAt}; null if none is planned. */
    private @Nullable Future<?> look;

    private long lookAt;

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

    /** Has the claims looked at when one of them may end, in the time of {@link System#nanoTime()}, or before. */
    synchronized void lookBy(long moment) {
        if (look != null && moment - lookAt >= 0) {
            return;
        }
        Future<?> later = look;
        look = scheduler.after(moment - System.nanoTime(), this::look);
        lookAt = moment;
        if (later != null) {
            later.cancel(false);
        }
    }

    private synchronized void lookBegins() {
        look = null;
    }

    /** Whatever fails, there is a next look as long as a claim is open. */
    @SuppressWarnings("CatchingUnchecked")
    private void look() {
        lookBegins();
        while (true) {
            try {
                long next = endThoseDue();
                if (next > 0) {
                    lookBy(System.nanoTime() + next);
                }
                return;
            } catch (Throwable noMemory) {
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    /** In how many nanoseconds the next one may end; 0 if none is open. */
    private long endThoseDue() {
        long next = 0;
        for (ClaimState claim : open) {
            long left = claim.endIfDue();
            if (left > 0 && (next == 0 || left < next)) {
                next = left;
            }
        }
        return next;
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
