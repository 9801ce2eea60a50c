// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.shedlock;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.jdbc.connection.DatabaseCalls;
import io.mortise.lock.jdbc.connection.PendingCall;
import io.mortise.lock.jdbc.sql.SqlFailures;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.support.CallDeadline;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One attempt to get a lock that ShedLock's clients want, too. */
final class ShedLockClaim implements Claim {
    private final DatabaseCalls calls;
    private final ShedLockTable table;
    private final ClaimRequest request;
    private final String holder;
    private @Nullable PendingCall<Boolean> lastTry;
    private long heldUntil;

    ShedLockClaim(DatabaseCalls calls, ShedLockTable table, ClaimRequest request) {
        this.calls = calls;
        this.table = table;
        this.request = request;
        holder = ShedLockTable.holder(request.owner(), request.label());
    }

    @Override
    public boolean tryAcquire(Duration atMost) throws InterruptedException {
        return CallDeadline.interruptibly(SqlFailures.STORE, atMost, deadline -> {
            PendingCall<Boolean> taking = calls.start(
                    deadline, lastTry, session -> table.take(session, request.lock(), holder, request.lease()));
            lastTry = taking;
            boolean taken = taking.await();
            heldUntil = taken ? deadline.startNanos() + request.lease().toNanos() : heldUntil;
            return taken;
        });
    }

    @Override
    public boolean renew(Duration lease, Duration atMost) {
        long asked = System.nanoTime();
        boolean kept = calls.askToRenew(atMost, session -> table.keep(session, request.lock(), holder, lease));
        heldUntil = kept ? asked + lease.toNanos() : heldUntil;
        return kept;
    }

    /** Not sent before the last try has ended, which would take the lock again. */
    @Override
    public boolean release(Duration atMost) {
        return CallDeadline.uninterruptibly(SqlFailures.STORE, atMost, deadline -> calls.startCleanUp(
                        deadline, lastTry, session -> table.free(session, request.lock(), holder))
                .await());
    }

    /** Who took it over, or deleted its row, is not asked. */
    @Override
    public Loss loss() {
        return heldUntil - System.nanoTime() <= 0
                ? new Loss(LossCause.EXPIRED, "the lease ended in the store")
                : new Loss(LossCause.EVICTED_OR_DELETED, "the lock's row is another one's, or gone");
    }
}
