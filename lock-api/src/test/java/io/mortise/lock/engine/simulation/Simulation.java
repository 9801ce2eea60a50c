// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time, and the threads that live in it. One of them runs at a time, until it waits or asks the store; then the dice say
 * which of those goes on whose time has come. Time passes only when none can go on.
 * A thread that waits in any other way ends the simulation with a failure: the engine waits by its ticker and environment alone.
 */
final class Simulation {
    private static final long PATIENCE_SECONDS = 30;

    /** Real threads are used again by later simulations: to start one takes longer than many of their steps. */
    private static final Deque<Worker> IDLE = new ArrayDeque<>();

    final SplittableRandom dice;
    private final List<Worker> waiting = new ArrayList<>();
    private final Map<Thread, Worker> workers = new HashMap<>();
    private final Map<Integer, Long> frozenUntil = new HashMap<>();
    private final Semaphore ended = new Semaphore(0);
    private long now = 1_000_000_000L;
    private long switches;
    private @Nullable Worker running;
    private @Nullable Throwable failure;
    private int alive;
    private boolean over;

    Simulation(long seed) {
        dice = new SplittableRandom(seed);
    }

    /** Ends the threads of a simulation that has failed. */
    private static final class Over extends Error {
        private static final long serialVersionUID = 1;

        Over() {
            super("the simulation is over", null, false, false);
        }
    }

    /** A thread of the simulation. */
    private static final class Worker {
        final Semaphore go = new Semaphore(0);
        final Thread thread = new Thread(this::work, "simulated");
        Simulation simulation;
        Runnable body;
        int group;
        long until;
        boolean wakes;
        boolean permit;
        /** Whether it is interrupted when it goes on: while it waits for its turn its own flag comes and goes. */
        boolean interrupted;

        Worker(Simulation simulation, int group, Runnable body) {
            this.simulation = simulation;
            this.group = group;
            this.body = body;
            thread.setDaemon(true);
        }

        private void work() {
            while (true) {
                go.acquireUninterruptibly();
                Simulation mine = simulation;
                mine.live(body);
                boolean unused = Thread.interrupted();
                mine.ended(this);
            }
        }
    }

    /** Starts a thread that belongs to a group, such as one client. */
    Thread start(int group, Runnable body) {
        Worker worker;
        synchronized (IDLE) {
            worker = IDLE.poll();
        }
        boolean fresh = worker == null;
        if (worker == null) {
            worker = new Worker(this, group, body);
        } else {
            worker.simulation = this;
            worker.group = group;
            worker.body = body;
        }
        synchronized (this) {
            worker.until = now;
            worker.wakes = false;
            worker.permit = false;
            worker.interrupted = false;
            workers.put(worker.thread, worker);
            waiting.add(worker);
            alive++;
        }
        if (fresh) {
            worker.thread.start();
        }
        return worker.thread;
    }

    private void live(Runnable body) {
        try {
            body.run();
        } catch (Over end) {
            // It has failed elsewhere.
        } catch (Throwable thrown) {
            fail(thrown);
        }
    }

    /** The first failure is the one that is told. */
    private synchronized void fail(Throwable thrown) {
        if (failure == null) {
            failure = thrown;
        }
        over = true;
    }

    private void ended(Worker worker) {
        Worker next;
        synchronized (this) {
            workers.remove(worker.thread);
            alive--;
            next = choose();
            if (alive == 0) {
                ended.release();
            }
        }
        synchronized (IDLE) {
            IDLE.push(worker);
        }
        if (next != null) {
            next.go.release();
        }
    }

    synchronized long now() {
        return now;
    }

    /** No thread of a group goes on before so much time has passed. */
    synchronized void freeze(int group, long nanos) {
        frozenUntil.put(group, now + nanos);
    }

    /** Waits for a moment; no wake ends that. */
    void sleep(long nanos) {
        long until = now() + nanos;
        do {
            await(until, false);
        } while (until - now() > 0);
    }

    /** Waits for a moment, or until the thread is woken, or interrupted. */
    void park(long until) {
        if (!Thread.currentThread().isInterrupted()) {
            await(until, true);
        }
    }

    synchronized void unpark(@Nullable Thread thread) {
        Worker worker = workers.get(thread);
        if (worker != null) {
            worker.permit = true;
        }
    }

    synchronized void interrupt(Thread thread) {
        Worker worker = workers.get(thread);
        if (worker != null) {
            worker.interrupted = true;
        }
    }

    private void await(long until, boolean wakes) {
        Worker self;
        Worker next;
        synchronized (this) {
            self = workers.get(Thread.currentThread());
            if (self == null || over) {
                throw new Over();
            }
            self.until = until;
            self.wakes = wakes;
            waiting.add(self);
            next = choose();
        }
        if (next != self) {
            if (next != null) {
                next.go.release();
            }
            self.go.acquireUninterruptibly();
        }
        synchronized (this) {
            if (over) {
                throw new Over();
            }
            if (self.interrupted) {
                self.interrupted = false;
                self.thread.interrupt();
            }
        }
    }

    /** Who goes on; null if nobody can. */
    private @Nullable Worker choose() {
        switches++;
        running = null;
        if (waiting.isEmpty()) {
            return null;
        }
        long first = Long.MAX_VALUE;
        int count = 0;
        for (Worker worker : waiting) {
            long at = readyAt(worker);
            first = Math.min(first, at - now);
            count += at - now <= 0 ? 1 : 0;
        }
        if (count == 0) {
            now += first;
            for (Worker worker : waiting) {
                count += readyAt(worker) - now <= 0 ? 1 : 0;
            }
        }
        int which = count == 1 ? 0 : dice.nextInt(count);
        for (Worker worker : waiting) {
            if (readyAt(worker) - now <= 0 && which-- == 0) {
                waiting.remove(worker);
                worker.permit &= !worker.wakes;
                running = worker;
                return worker;
            }
        }
        throw new AssertionError("nobody was chosen");
    }

    private long readyAt(Worker worker) {
        boolean woken = worker.wakes && (worker.permit || worker.interrupted);
        long at = over || woken ? now : worker.until;
        long frozen = over ? now : frozenUntil.getOrDefault(worker.group, now);
        return at - frozen > 0 ? at : frozen;
    }

    /**
     * Runs until all threads have ended.
     *
     * @throws Throwable the first failure of a thread
     */
    void run() throws Throwable {
        Worker next;
        synchronized (this) {
            next = choose();
        }
        if (next != null) {
            next.go.release();
        }
        long seen = -1;
        while (!ended.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            synchronized (this) {
                if (switches == seen) {
                    throw new AssertionError(
                            "a thread waits for something else than its turn: " + stack(running), failure);
                }
                seen = switches;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static String stack(@Nullable Worker worker) {
        return worker == null
                ? "nobody runs"
                : List.of(worker.thread.getStackTrace()).toString();
    }
}
