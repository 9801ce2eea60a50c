// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.stress;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.DistributedReentrantLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClosedException;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockReleaseException;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.LockTimeoutException;
import io.mortise.lock.engine.stress.Attempt.Phase;
import io.mortise.lock.engine.stress.Attempt.Way;
import io.mortise.lock.engine.stress.Tally.Count;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** Calls for locks again and again, in all ways, and judges how each call ends. One thread. */
final class Caller implements Runnable {
    private static final List<Way> WAYS = List.copyOf(EnumSet.complementOf(EnumSet.of(Way.ABANDON)));

    private static final int MOST_ATTEMPTS = 1500;
    /** An answer that is not older may have come to the next caller, when this one had failed. */
    private static final long JUST_NOW = TimeUnit.MILLISECONDS.toNanos(60);

    final Attempt[] attempts = new Attempt[MOST_ATTEMPTS];
    private final String name;
    private final Round round;
    private final Weather weather;
    private final Dice dice;
    /** What runs under the lock now, or ran last. */
    private Inside task;

    Caller(String name, Round round, Weather weather) {
        this.name = name;
        this.round = round;
        this.weather = weather;
        this.dice = weather.dice;
        for (int i = 0; i < attempts.length; i++) {
            attempts[i] = new Attempt();
        }
    }

    @Override
    public void run() {
        for (int i = 0; i < attempts.length && weather.isRaging(); i++) {
            Attempt attempt = attempts[i];
            attempt.caller = name;
            attempt.member = round.member();
            attempt.name = dice.below(weather.names);
            attempt.way = dice.chance(0.01) ? Way.ABANDON : WAYS.get(dice.below(WAYS.size()));
            attempt.begin = Time.now();
            attempt.phase = Phase.CALLING;
            Tally.add(Count.CALLS);
            try {
                call(attempt);
            } catch (Throwable thrown) {
                attempt.thrown = thrown;
                judge(attempt, thrown);
            }
            attempt.end = Time.now();
            attempt.phase = Phase.ENDED;
            boolean unused = Thread.interrupted();
            LockSupport.parkNanos(dice.below(3_000_000));
            unused = Thread.interrupted();
        }
    }

    private void call(Attempt attempt) throws Exception {
        LockOptions options = round.anyOptions();
        if (attempt.way == Way.LIMITED_ACQUIRE) {
            options = options.withMaxWait(wait(attempt));
        }
        DistributedLock lock = attempt.member.client.lock(Round.nameOf(attempt.name), options);
        switch (attempt.way) {
            case TRY -> useIfPresent(attempt, lock.tryAcquire());
            case TIMED -> useIfPresent(attempt, lock.tryAcquire(wait(attempt)));
            case ACQUIRE, LIMITED_ACQUIRE -> use(attempt, lock.acquire());
            case ASYNC -> use(attempt, result(attempt, lock.acquireAsync()));
            case ASYNC_TIMED -> useIfPresent(attempt, result(attempt, lock.tryAcquireAsync(wait(attempt))));
            case RUN -> {
                lock.run(lease -> task(attempt, lease));
                ran(attempt);
            }
            case TRY_RUN -> {
                if (lock.tryRun(lease -> task(attempt, lease))) {
                    ran(attempt);
                } else {
                    refused(attempt);
                }
            }
            case VIEW, VIEW_INTERRUPTIBLY, VIEW_TRY, VIEW_TIMED -> useView(attempt, lock.asLock());
            case ABANDON -> {
                boolean granted = dice.chance(0.5)
                        ? lock.tryAcquire().isPresent()
                        : value(attempt, lock.tryAcquireAsync(Duration.ZERO)).isPresent();
                attempt.outcome = granted ? "abandoned" : "refused";
                Tally.add(Count.ABANDONED);
            }
        }
    }

    private Duration wait(Attempt attempt) {
        return Duration.ofMillis(dice.below(attempt.way == Way.LIMITED_ACQUIRE ? 400 : 300));
    }

    /** Waits for a future, cancels it, or lets it time out. */
    private <T> T result(Attempt attempt, CompletableFuture<T> future) throws Exception {
        int kind = dice.below(4);
        if (kind == 0) {
            LockSupport.parkNanos(dice.below(20_000_000));
            if (future.cancel(true)) {
                Tally.add(Count.CANCELS);
                throw new CancellationException();
            }
        } else if (kind == 1) {
            Tally.add(Count.CANCELS);
            future.orTimeout(dice.between(1, 60), TimeUnit.MILLISECONDS);
        }
        return value(attempt, future);
    }

    private static <T> T value(Attempt attempt, CompletableFuture<T> future) throws Exception {
        while (true) {
            try {
                return future.get();
            } catch (InterruptedException goOn) {
                attempt.interrupted = true;
            } catch (ExecutionException failed) {
                if (failed.getCause() instanceof Exception cause) {
                    throw cause;
                }
                throw failed;
            }
        }
    }

    private void useIfPresent(Attempt attempt, Optional<Lease> lease) {
        if (lease.isEmpty()) {
            refused(attempt);
        } else {
            use(attempt, lease.get());
        }
    }

    private void use(Attempt attempt, Lease lease) {
        attempt.phase = Phase.INSIDE;
        try {
            Inside inside = new Inside(weather, round.grants(), attempt, lease);
            inside.work(false);
            inside.release();
            attempt.outcome = attempt.outcome.isEmpty() ? "held" : attempt.outcome;
        } finally {
            if (!attempt.saidHeld && !attempt.saidLost) {
                // No memory for our own work, or the release failed: it must be possible to call it again.
                releaseAnyhow(lease);
            }
        }
    }

    private static void releaseAnyhow(Lease lease) {
        for (int i = 0; i < 3; i++) {
            try {
                lease.release();
                return;
            } catch (Throwable unanswered) {
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    private void task(Attempt attempt, Lease lease) {
        attempt.phase = Phase.INSIDE;
        task = new Inside(weather, round.grants(), attempt, lease);
        task.work(true);
        attempt.phase = Phase.LEAVING;
    }

    /** A task has run under the lock, and its caller was told nothing else. */
    private void ran(Attempt attempt) {
        attempt.outcome = "ran";
        if (task == null || attempt.phase != Phase.LEAVING) {
            attempt.fault("run() ended, and its task has not run");
        } else {
            task.ended(attempt.seenLost == 0, true);
        }
    }

    private void useView(Attempt attempt, DistributedReentrantLock view) throws InterruptedException {
        boolean entered = true;
        try {
            switch (attempt.way) {
                case VIEW -> view.lock();
                case VIEW_INTERRUPTIBLY -> view.lockInterruptibly();
                case VIEW_TRY -> entered = view.tryLock();
                default -> entered = view.tryLock(dice.below(300), TimeUnit.MILLISECONDS);
            }
            if (!entered) {
                refused(attempt);
                return;
            }
            attempt.phase = Phase.INSIDE;
            boolean again = dice.chance(0.3);
            if (again) {
                view.lock();
            }
            Inside inside =
                    new Inside(weather, round.grants(), attempt, view.lease().orElseThrow());
            inside.work(false);
            boolean held = inside.look();
            attempt.phase = Phase.LEAVING;
            if (again && !(held && dice.chance(0.5)) && view.leaveIfLost()) {
                inside.ended(false, false);
                return;
            }
            if (again) {
                view.unlock();
            }
            held = inside.look();
            attempt.releaseBegin = Time.now();
            view.unlock();
            inside.ended(held, true);
            attempt.outcome = "held by the view";
        } finally {
            for (int i = 0; i < 8 && view.holdCount() > 0; i++) {
                try {
                    view.unlock();
                } catch (Throwable told) {
                    LockSupport.parkNanos(1_000);
                }
            }
            if (view.holdCount() > 0) {
                attempt.fault("a thread could not leave the view");
            }
        }
    }

    /** Others hold the lock, it was said: somebody must have known that. */
    private void refused(Attempt attempt) {
        Tally.add(Count.REFUSALS);
        attempt.outcome = "refused";
        StormBackend backend = attempt.member.backend;
        long known = Math.max(backend.answered(attempt.name), backend.ownUntil(attempt.name));
        if (Time.now() - known > weather.knowledge() + round.excused()) {
            attempt.fault("a call was refused, and nobody knew that others hold the lock");
        }
    }

    private void judge(Attempt attempt, Throwable thrown) {
        boolean calling = attempt.phase == Phase.CALLING;
        boolean isTask = attempt.way == Way.RUN || attempt.way == Way.TRY_RUN;
        if (Injected.isExpected(thrown, weather) && !(thrown instanceof LockStoreException)) {
            attempt.outcome = "error";
        } else if (thrown instanceof LockTimeoutException && calling) {
            refused(attempt);
        } else if (thrown instanceof LockClosedException && calling) {
            attempt.outcome = "closed";
            if (attempt.member.closing() == Long.MAX_VALUE) {
                attempt.fault("an open client says that it is closed");
            }
        } else if (thrown instanceof LockStoreException && calling) {
            attempt.outcome = "no answer";
            long sinceAnswer = Time.now() - attempt.member.backend.answered(attempt.name);
            // Where memory is short, an answer may be too old when it arrives.
            if (attempt.way.isUnlimited()
                    && !weather.isShort()
                    && sinceAnswer > JUST_NOW
                    && sinceAnswer < weather.lease.toNanos() / 2 - round.excused()) {
                attempt.fault("an unlimited call failed for want of an answer, and there were answers");
            }
        } else if (thrown instanceof LockLostException && !calling) {
            attempt.outcome = "lost";
            attempt.saidLost = true;
        } else if (thrown instanceof LockReleaseException && !calling) {
            attempt.outcome = "release unanswered";
            attempt.saidHeld = true;
        } else if (thrown instanceof InterruptedException && calling) {
            attempt.outcome = "interrupted";
        } else if ((thrown instanceof CancellationException || thrown instanceof TimeoutException) && calling) {
            attempt.outcome = "cancelled";
        } else {
            attempt.outcome = "failed";
            attempt.fault(
                    isTask && !calling
                            ? "a call that has run its task says that it has not"
                            : "a call ended with an exception that it must not throw");
        }
    }
}
