// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import io.mortise.lock.Ticker;
import io.mortise.lock.engine.local.Threads;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Renews the leases that are due, in batches, two batches at a time at most, so that a slow one does not hold up the
 * others. Whatever a batch throws counts as no answer. After an unanswered renewal a lease goes into smaller batches, until one that
 * never gets an answer is alone. Thread-safe.
 */
final class Renewer {
    static final int LARGEST_BATCH = 500;
    private static final int MOST_WORKERS = 2;
    private static final Logger LOG = System.getLogger(Renewer.class.getName());

    /** How the renewal of one claim ended: the store's answer, and how much of the lease was spent when it was asked. */
    private record Renewed(Answer answer, Duration spent) {
        static final Renewed UNKNOWN = new Renewed(Answer.UNKNOWN, Duration.ZERO);

        static Renewed of(Answer answer, Claim claim) {
            return new Renewed(answer, answer == Answer.YES ? claim.leaseSpent() : Duration.ZERO);
        }
    }

    private final LockBackend backend;
    private final Ticker ticker;
    private final Executor workers;
    private final Duration callTimeout;
    private final Deque<RenewableLease> due = new ArrayDeque<>();
    private int running;

    Renewer(LockBackend backend, Ticker ticker, Executor workers, Duration callTimeout) {
        this.backend = backend;
        this.ticker = ticker;
        this.workers = workers;
        this.callTimeout = callTimeout;
    }

    /** Renews leases as soon as a worker is free. If no thread can be started, they are renewed with the next that are due. */
    void addAll(List<RenewableLease> leases) {
        int more;
        synchronized (this) {
            due.addAll(leases);
            int useful = Math.max(1, due.size() / LARGEST_BATCH);
            more = Math.min(MOST_WORKERS - running, useful);
            running += more;
        }
        for (int i = 0; i < more; i++) {
            if (!Threads.tryRun(workers, this::run, "renew leases; it is tried again when the next is due")) {
                synchronized (this) {
                    running -= more - i;
                }
                return;
            }
        }
    }

    private void run() {
        for (List<RenewableLease> batch = next(); !batch.isEmpty(); batch = next()) {
            List<RenewableLease> begun = new ArrayList<>(batch.size());
            long shortest = callTimeout.toNanos();
            for (RenewableLease lease : batch) {
                long limit = lease.beginRenewal();
                if (limit > 0) {
                    begun.add(lease);
                    shortest = Math.min(shortest, limit);
                }
            }
            if (!begun.isEmpty()) {
                renew(begun, Duration.ofNanos(shortest));
            }
        }
    }

    private synchronized List<RenewableLease> next() {
        List<RenewableLease> batch = new ArrayList<>();
        int limit = LARGEST_BATCH;
        while (!due.isEmpty() && batch.size() < Math.min(limit, due.peek().batchLimit())) {
            limit = Math.min(limit, due.peek().batchLimit());
            batch.add(due.remove());
        }
        if (batch.isEmpty()) {
            running--;
        }
        return batch;
    }

    private void renew(List<RenewableLease> batch, Duration atMost) {
        List<Renewal> renewals = batch.stream().map(RenewableLease::renewal).toList();
        Validity.Stamp asked = Validity.Stamp.now(ticker);
        List<Renewed> answers = ask(renewals, atMost);
        for (int i = 0; i < batch.size(); i++) {
            batch.get(i).renewed(answers.get(i).answer(), asked, answers.get(i).spent());
        }
    }

    /** The one place where the end of a renewal is judged. */
    @SuppressWarnings("CatchingUnchecked")
    private List<Renewed> ask(List<Renewal> renewals, Duration atMost) {
        try {
            List<Answer> answers = backend.renewAll(renewals, atMost);
            if (answers.size() == renewals.size()) {
                List<Renewed> renewed = new ArrayList<>(answers.size());
                for (int i = 0; i < answers.size(); i++) {
                    renewed.add(Renewed.of(answers.get(i), renewals.get(i).claim()));
                }
                return renewed;
            }
            LOG.log(Level.WARNING, "the backend gave {0} answers for {1} claims", answers.size(), renewals.size());
        } catch (Throwable unanswered) {
            // Errors too: a renewal thread that dies loses every lock of this client.
            LOG.log(Level.DEBUG, "a batch of renewals got no answer", unanswered);
        }
        return Collections.nCopies(renewals.size(), Renewed.UNKNOWN);
    }
}
