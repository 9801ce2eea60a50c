// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.table;

import io.mortise.lock.jdbc.connection.DatabaseCalls;
import io.mortise.lock.jdbc.sql.Session;
import io.mortise.lock.jdbc.table.ClaimStatements.Refusal;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.support.RenewalBatch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

    /** One request to renew claims, each to a length of its own. */
    private interface Request {
        List<Optional<Refusal>> send(Session session, List<ClaimStatements> claims, List<Duration> leases);
    }

    /**
     * Renews them.
     *
     * @throws BackendException of the kind REFUSED if the database refused to renew any
     */
    public List<Answer> renew(List<Renewal> renewals, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        RenewalBatch<JdbcClaim> batch = new RenewalBatch<>(renewals, JdbcClaim.class);
        BackendException refusal = null;
        for (RenewalBatch<JdbcClaim>.Group group : batch.groups(PER_TRANSACTION)) {
            refusal = refusal == null ? ask(group, end, ClaimStatements::renewTogether) : refusal;
        }
        // What is refused to one is refused to all.
        for (RenewalBatch<JdbcClaim>.Group alone : batch.unanswered()) {
            refusal = refusal == null
                    ? ask(
                            alone,
                            end,
                            (session, one, leases) -> List.of(one.get(0).renew(session, leases.get(0))))
                    : refusal;
        }
        List<Answer> answers = batch.answers();
        if (refusal != null && answers.stream().allMatch(answer -> answer == Answer.UNKNOWN)) {
            throw refusal;
        }
        return answers;
    }

    /** Null unless the database refused. */
    private @Nullable BackendException ask(RenewalBatch<JdbcClaim>.Group group, long end, Request request) {
        long left = end - System.nanoTime();
        if (left <= 0) {
            return null;
        }
        try {
            List<JdbcClaim> claims = group.claims();
            List<ClaimStatements> statements =
                    claims.stream().map(claim -> claim.statements).toList();
            List<Optional<Refusal>> refusals = calls.askOnceToRenew(
                    Duration.ofNanos(left), session -> request.send(session, statements, group.leases()));
            for (int i = 0; i < refusals.size(); i++) {
                group.answer(i, claims.get(i).isRenewed(refusals.get(i)) ? Answer.YES : Answer.NO);
            }
        } catch (BackendException unanswered) {
            // their answers stay unknown
            return unanswered.kind() == BackendException.Kind.REFUSED ? unanswered : null;
        }
        return null;
    }
}
