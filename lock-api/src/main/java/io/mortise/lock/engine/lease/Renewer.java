// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import io.mortise.lock.Ticker;
import io.mortise.lock.engine.local.Environment;
import io.mortise.lock.engine.local.Nanos;
import io.mortise.lock.engine.local.WorkerStarter;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.support.Moment;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Renews the leases that are due, in batches, two batches at a time at most, so that a slow one does not hold up the
 * others. Whatever a batch throws counts as no answer. After an unanswered renewal a lease goes into smaller batches, until one that
 * never gets an answer is alone. A batch is of leases with one limit; those with the largest limit come first, and one batch at a
 * time is of leases whose last renewal got no answer: however many a part of the store leaves unanswered, the others have a
 * thread. Thread-safe.
 */
public final class Renewer {
    static final int LARGEST_BATCH = 500;
    private static final int MOST_WORKERS = 2;
    private static final long RETRY_NANOS = 20_000_000L;
    private static final Logger LOG = System.getLogger(Renewer.class.getName());

    /**
     * How the renewal of one claim ended: the store's answer, how much of the lease was spent when it was asked, and why the store
     * refused, if it did.
     */
    private record Renewed(
            Answer answer, Duration spent, @Nullable String refusal) {
        static final Renewed UNKNOWN = new Renewed(Answer.UNKNOWN, Duration.ZERO, null);

        static Renewed of(Answer answer, Claim claim) {
            return new Renewed(answer, answer == Answer.YES ? claim.leaseSpent() : Duration.ZERO, null);
        }
    }

    private final LockBackend backend;
    private final Environment environment;
    private final Ticker ticker;
    private final WorkerStarter starter;
    private final Duration callTimeout;
    /**
     * What is due, by the size of its batches, the largest first; none is empty. Unlike an {@link ArrayDeque}, a queue keeps its
     * elements if there is no memory for one more.
     */
    private final NavigableMap<Integer, Queue<RenewableLease>> due = new TreeMap<>(Comparator.reverseOrder());

    /** Made before it is needed: starting a thread must not fail for want of memory after it was counted. */
    private final Runnable worker = this::run;

    private int running;
    /** Which worker has a batch of leases whose last renewal got no answer. */
    private @Nullable Thread retrier;

    private boolean closed;

    Renewer(LockBackend backend, Environment environment, Ticker ticker, Executor workers, Duration callTimeout) {
        this.environment = environment;
        this.backend = backend;
        this.ticker = ticker;
        this.starter = new WorkerStarter(workers, "renew leases");
        this.callTimeout = callTimeout;
    }

    /** The lease is renewed when {@link #start} is called next. */
    synchronized void add(RenewableLease lease) {
        if (!closed) {
            // Added before it is put in, so that no queue in the map is empty whatever is thrown.
            int limit = lease.batchLimit();
            Queue<RenewableLease> queue = due.get(limit);
            if (queue == null) {
                Queue<RenewableLease> first = new LinkedBlockingQueue<>();
                first.add(lease);
                due.put(limit, first);
            } else {
                queue.add(lease);
            }
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
            // Another one beside a busy one, too: that may wait for a store that does not answer.
            more = Math.min(MOST_WORKERS - running, useful());
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

    /** How many workers would have something to do. */
    private int useful() {
        Queue<RenewableLease> answered = due.get(LARGEST_BATCH);
        int full = answered == null ? 0 : Math.max(1, answered.size() / LARGEST_BATCH);
        boolean hasUnanswered = due.size() > (answered == null ? 0 : 1);
        return hasUnanswered && retrier == null ? full + 1 : full;
    }

    @SuppressWarnings("CatchingUnchecked")
    private void run() {
        while (true) {
            try {
                Deque<RenewableLease> batch = next();
                if (batch == null) {
                    return;
                }
                renew(batch);
            } catch (Throwable failure) {
                // No memory, perhaps: the leases that are due are renewed when there is some.
                environment.pause(this, RETRY_NANOS);
            }
        }
    }

    /** Null if there is nothing for the calling worker to do, which is to end. */
    private synchronized @Nullable Deque<RenewableLease> next() {
        if (retrier == Thread.currentThread()) {
            retrier = null;
        }
        Map.Entry<Integer, Queue<RenewableLease>> largest = due.firstEntry();
        boolean unanswered = largest != null && largest.getKey() < LARGEST_BATCH;
        if (largest == null || (unanswered && retrier != null)) {
            running--;
            return null;
        }
        Queue<RenewableLease> queue = largest.getValue();
        int size = Math.min(largest.getKey(), queue.size());
        Deque<RenewableLease> batch = new ArrayDeque<>(size);
        while (batch.size() < size) {
            batch.add(queue.remove());
        }
        if (queue.isEmpty()) {
            due.remove(largest.getKey());
        }
        if (unanswered) {
            retrier = Thread.currentThread();
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
        Moment asked = Moment.now(ticker);
        List<Renewed> answers = answers(renewals, atMost);
        for (int i = 0; i < begun.size(); i++) {
            RenewableLease lease = begun.get(i);
            untold.removeFirstOccurrence(lease);
            try {
                String refusal = answers.get(i).refusal();
                if (refusal != null) {
                    lease.renewalRefused(refusal);
                }
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
        Renewed unknown = Renewed.UNKNOWN;
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
            if (ClaimRelease.isRefusal(unanswered)) {
                unknown = new Renewed(Answer.UNKNOWN, Duration.ZERO, String.valueOf(unanswered.getMessage()));
            }
        }
        return Collections.nCopies(renewals.size(), unknown);
    }
}
