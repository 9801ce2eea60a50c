// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import io.mortise.lock.Ticker;
import io.mortise.lock.engine.local.Nanos;
import io.mortise.lock.engine.local.WorkerStarter;
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
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Renews the leases that are due, in batches, two batches at a time at most, so that a slow one does not hold up the
 * others. Whatever a batch throws counts as no answer. After an unanswered renewal a lease goes into smaller batches, until one that
 * never gets an answer is alone. Thread-safe.
 */
public final class Renewer {
    static final int LARGEST_BATCH = 500;
    private static final int MOST_WORKERS = 2;
    private static final long RETRY_NANOS = 20_000_000L;
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
    private final WorkerStarter starter;
    private final Duration callTimeout;
    /** Unlike an {@link ArrayDeque}, keeps its elements if there is no memory for one more. */
    private final Queue<RenewableLease> due = new LinkedBlockingQueue<>();

    /** Made before it is needed: starting a thread must not fail for want of memory after it was counted. */
    private final Runnable worker = this::run;

    private int running;
    private boolean closed;

    Renewer(LockBackend backend, Ticker ticker, Executor workers, Duration callTimeout) {
        this.backend = backend;
        this.ticker = ticker;
        this.starter = new WorkerStarter(workers, "renew leases");
        this.callTimeout = callTimeout;
    }

    /** The lease is renewed when {@link #start} is called next. */
    synchronized void add(RenewableLease lease) {
        if (!closed) {
            due.add(lease);
        }
    }

    /** Renews nothing any more. */
    public synchronized void close() {
        closed = true;
        due.clear();
    }

    /** Starts to renew what is due. False if no thread could be had for it: then to be called again soon. */
    boolean start() {
        int more;
        synchronized (this) {
            int useful = due.isEmpty() ? 0 : Math.max(1, due.size() / LARGEST_BATCH);
            // Another one beside a busy one, too: that may wait for a store that does not answer.
            more = Math.min(MOST_WORKERS - running, useful);
            running += more;
        }
        for (int i = 0; i < more; i++) {
            if (!starter.tryRun(worker)) {
                synchronized (this) {
                    running -= more - i;
                    return running > 0;
                }
            }
        }
        return true;
    }

    @SuppressWarnings("CatchingUnchecked")
    private void run() {
        while (true) {
            try {
                Deque<RenewableLease> batch = next();
                if (batch.isEmpty()) {
                    return;
                }
                renew(batch);
            } catch (Throwable failure) {
                // No memory, perhaps: the leases that are due are renewed when there is some.
                LockSupport.parkNanos(this, RETRY_NANOS);
            }
        }
    }

    private synchronized Deque<RenewableLease> next() {
        int limit = LARGEST_BATCH;
        Deque<RenewableLease> batch = new ArrayDeque<>(Math.min(limit, due.size()));
        while (!due.isEmpty() && batch.size() < Math.min(limit, due.peek().batchLimit())) {
            limit = Math.min(limit, due.peek().batchLimit());
            batch.add(due.remove());
        }
        if (batch.isEmpty()) {
            running--;
        }
        return batch;
    }

    /** Whatever is thrown, each lease of the batch is told how its renewal ended. */
    private void renew(Deque<RenewableLease> batch) {
        try {
            List<RenewableLease> begun = new ArrayList<>(batch.size());
            long shortest = Nanos.of(callTimeout);
            for (RenewableLease lease : batch) {
                long limit = lease.beginRenewal();
                if (limit > 0) {
                    begun.add(lease);
                    shortest = Math.min(shortest, limit);
                }
            }
            if (!begun.isEmpty()) {
                ask(begun, Duration.ofNanos(shortest), batch);
            }
        } finally {
            for (RenewableLease lease = batch.poll(); lease != null; lease = batch.poll()) {
                lease.renewalFailed();
            }
        }
    }

    @SuppressWarnings("CatchingUnchecked")
    private void ask(List<RenewableLease> begun, Duration atMost, Deque<RenewableLease> untold) {
        List<Renewal> renewals = begun.stream().map(RenewableLease::renewal).toList();
        Validity.Stamp asked = Validity.Stamp.now(ticker);
        List<Renewed> answers = answers(renewals, atMost);
        for (int i = 0; i < begun.size(); i++) {
            RenewableLease lease = begun.get(i);
            untold.removeFirstOccurrence(lease);
            try {
                lease.renewed(answers.get(i).answer(), asked, answers.get(i).spent());
            } catch (Throwable failure) {
                lease.renewalFailed();
                LOG.log(Level.WARNING, "the answer to a renewal was lost", failure);
            }
        }
    }

    /** The one place where the end of a renewal is judged. */
    @SuppressWarnings("CatchingUnchecked")
    private List<Renewed> answers(List<Renewal> renewals, Duration atMost) {
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
