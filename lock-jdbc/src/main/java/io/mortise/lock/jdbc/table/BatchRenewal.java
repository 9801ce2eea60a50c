// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.table;

import io.mortise.lock.Loss;
import io.mortise.lock.jdbc.connection.DatabaseCalls;
import io.mortise.lock.jdbc.connection.JdbcCall;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.support.RenewalBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/**
 * Renews many claims in a few transactions, each of which has so few claims that it stays short for others. Where one
 * row is in the way, the claims of its transaction are renewed one by one. Stateless.
 */
public final class BatchRenewal {
    private static final int PER_TRANSACTION = 250;

    private final DatabaseCalls calls;
    private final LockTable table;
    private final String renew;

    public BatchRenewal(DatabaseCalls calls, LockTable table, String renew) {
        this.calls = calls;
        this.table = table;
        this.renew = renew;
    }

    public List<Answer> renew(List<? extends Claim> claims, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        RenewalBatch<JdbcClaim> batch = new RenewalBatch<>(claims, JdbcClaim.class);
        for (RenewalBatch<JdbcClaim>.Group group : batch.groups(PER_TRANSACTION)) {
            ask(group, end, handle -> together(handle, group.claims()));
        }
        for (RenewalBatch<JdbcClaim>.Group alone : batch.unanswered()) {
            ask(alone, end, handle -> eachAlone(handle, alone.claims()));
        }
        return batch.answers();
    }

    private void ask(RenewalBatch<JdbcClaim>.Group group, long end, JdbcCall<List<Optional<Loss>>> renewal) {
        long left = end - System.nanoTime();
        if (left <= 0) {
            return;
        }
        try {
            List<Optional<Loss>> losses = calls.askOnceToRenew(Duration.ofNanos(left), renewal);
            for (int i = 0; i < losses.size(); i++) {
                group.answer(i, group.claims().get(i).loss.isGranted(losses.get(i)) ? Answer.YES : Answer.NO);
            }
        } catch (BackendException unanswered) {
            // their answers stay unknown
        }
    }

    /** A driver need not tell how many rows each part of a batch changed; what it did not confirm is asked again. */
    private List<Optional<Loss>> together(Handle handle, List<JdbcClaim> claims) {
        int[] renewed = handle.inTransaction(transaction -> {
            try (PreparedBatch batch = transaction.prepareBatch(renew)) {
                for (JdbcClaim claim : claims) {
                    batch.bind("key", claim.key.key())
                            .bind("owner", claim.request.owner())
                            .bind("lease", table.leaseMicros(claim.request))
                            .add();
                }
                return batch.execute();
            }
        });
        List<Optional<Loss>> losses = new ArrayList<>(claims.size());
        for (int i = 0; i < renewed.length; i++) {
            losses.add(renewed[i] > 0 ? Optional.empty() : alone(handle, claims.get(i)));
        }
        return losses;
    }

    private List<Optional<Loss>> eachAlone(Handle handle, List<JdbcClaim> claims) {
        return claims.stream().map(claim -> alone(handle, claim)).toList();
    }

    private Optional<Loss> alone(Handle handle, JdbcClaim claim) {
        return table.renew(handle, claim.request, claim.key);
    }
}
