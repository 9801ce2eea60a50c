// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.table;

import io.mortise.lock.Loss;
import io.mortise.lock.jdbc.connection.Database;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/**
 * Renews many claims, so many of them in one transaction that it stays short for others. Where one row is in the way, the
 * claims of its transaction are renewed one by one. Stateless.
 */
public final class BatchRenewal {
    private static final int PER_TRANSACTION = 250;

    private final Database database;
    private final LockTable table;
    private final String renew;

    public BatchRenewal(Database database, LockTable table, String renew) {
        this.database = database;
        this.table = table;
        this.renew = renew;
    }

    public List<Answer> renew(List<JdbcClaim> claims, Duration atMost) {
        long start = System.nanoTime();
        List<Answer> answers = new ArrayList<>(claims.size());
        for (int from = 0; from < claims.size(); from += PER_TRANSACTION) {
            List<JdbcClaim> part = claims.subList(from, Math.min(claims.size(), from + PER_TRANSACTION));
            answers.addAll(together(part, left(atMost, start)));
        }
        for (int i = 0; i < claims.size(); i++) {
            if (answers.get(i) == Answer.UNKNOWN) {
                answers.set(i, alone(claims.get(i), left(atMost, start)));
            }
        }
        return answers;
    }

    private List<Answer> together(List<JdbcClaim> part, Duration left) {
        if (left.isNegative() || left.isZero()) {
            return Collections.nCopies(part.size(), Answer.UNKNOWN);
        }
        try {
            List<Optional<Loss>> losses = database.askOnceToRenew(left, handle -> together(handle, part));
            List<Answer> answers = new ArrayList<>(part.size());
            for (int i = 0; i < part.size(); i++) {
                answers.add(part.get(i).answer(losses.get(i)) ? Answer.YES : Answer.NO);
            }
            return answers;
        } catch (BackendException unanswered) {
            return Collections.nCopies(part.size(), Answer.UNKNOWN);
        }
    }

    /** A driver need not tell how many rows each part of a batch changed; what it did not confirm is asked again. */
    private List<Optional<Loss>> together(Handle handle, List<JdbcClaim> part) {
        int[] renewed = handle.inTransaction(transaction -> {
            try (PreparedBatch batch = transaction.prepareBatch(renew)) {
                for (JdbcClaim claim : part) {
                    batch.bind("key", claim.key.key())
                            .bind("owner", claim.request.owner())
                            .bind("lease", table.leaseMicros(claim.request))
                            .add();
                }
                return batch.execute();
            }
        });
        List<Optional<Loss>> losses = new ArrayList<>(part.size());
        for (int i = 0; i < renewed.length; i++) {
            JdbcClaim claim = part.get(i);
            losses.add(renewed[i] > 0 ? Optional.empty() : table.renew(handle, claim.request, claim.key));
        }
        return losses;
    }

    private Answer alone(JdbcClaim claim, Duration left) {
        if (left.isNegative() || left.isZero()) {
            return Answer.UNKNOWN;
        }
        try {
            Optional<Loss> loss =
                    database.askOnceToRenew(left, handle -> table.renew(handle, claim.request, claim.key));
            return claim.answer(loss) ? Answer.YES : Answer.NO;
        } catch (BackendException unanswered) {
            return Answer.UNKNOWN;
        }
    }

    private static Duration left(Duration atMost, long start) {
        return atMost.minusNanos(System.nanoTime() - start);
    }
}
