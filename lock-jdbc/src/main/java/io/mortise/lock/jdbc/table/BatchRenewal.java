// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.table;

import io.mortise.lock.Loss;
import io.mortise.lock.jdbc.connection.DatabaseCalls;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.support.RenewalBatch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jdbi.v3.core.Handle;

/**
 * Renews many claims in a few short transactions, so that other clients do not wait long for row locks. If a transaction
 * fails at one row, its claims are renewed one by one. Stateless.
 */
public final class BatchRenewal {
    private static final int PER_TRANSACTION = 250;

    private final DatabaseCalls calls;

    public BatchRenewal(DatabaseCalls calls) {
        this.calls = calls;
    }

    public List<Answer> renew(List<? extends Claim> claims, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        RenewalBatch<JdbcClaim> batch = new RenewalBatch<>(claims, JdbcClaim.class);
        for (RenewalBatch<JdbcClaim>.Group group : batch.groups(PER_TRANSACTION)) {
            ask(group, end, ClaimStatements::renewTogether);
        }
        for (RenewalBatch<JdbcClaim>.Group alone : batch.unanswered()) {
            ask(alone, end, (handle, one) -> List.of(one.get(0).renew(handle)));
        }
        return batch.answers();
    }

    private void ask(
            RenewalBatch<JdbcClaim>.Group group,
            long end,
            BiFunction<Handle, List<ClaimStatements>, List<Optional<Loss>>> renewal) {
        long left = end - System.nanoTime();
        if (left <= 0) {
            return;
        }
        try {
            List<ClaimStatements> statements =
                    group.claims().stream().map(claim -> claim.statements).toList();
            List<Optional<Loss>> losses =
                    calls.askOnceToRenew(Duration.ofNanos(left), handle -> renewal.apply(handle, statements));
            for (int i = 0; i < losses.size(); i++) {
                group.answer(i, group.claims().get(i).loss.isGranted(losses.get(i)) ? Answer.YES : Answer.NO);
            }
        } catch (BackendException unanswered) {
            // their answers stay unknown
        }
    }
}
