// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.support.ForwardingClaim;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Right stores with wrong drivers: what they do with calls that block, that are interrupted, or that are answered too late. */
final class WrongDrivers {
    private WrongDrivers() {}

    /** A client sends one question at a time: one that is not answered holds up all others. */
    static final class OneQuestionAtATime extends TinyStore {
        @Override
        boolean call(TinyClaim claim, Duration atMost, BooleanSupplier question) {
            synchronized (claim.backend) {
                return super.call(claim, atMost, question);
            }
        }
    }

    /** All clients of a JVM share what sends questions: one that is cut off holds up all others. */
    static final class OneQuestionAtATimeForAll extends TinyStore {
        private final Object sender = new Object();

        @Override
        boolean call(TinyClaim claim, Duration atMost, BooleanSupplier question) {
            synchronized (sender) {
                return super.call(claim, atMost, question);
            }
        }
    }

    /** Gives no connection back to its pool, which has forty. */
    static final class LeaksConnections extends TinyStore {
        private final Map<TinyBackend, AtomicInteger> granted = new ConcurrentHashMap<>();

        @Override
        void grant(TinyClaim claim) {
            if (granted.computeIfAbsent(claim.backend, unused -> new AtomicInteger())
                            .incrementAndGet()
                    > 40) {
                throw new BackendException("the pool is empty", null);
            }
            super.grant(claim);
        }
    }

    /** Waits for one of eight connections, and then as long again for the answer. */
    static final class WaitsTwiceAsLong extends TinyStore {
        private final Map<TinyBackend, Semaphore> pools = new ConcurrentHashMap<>();

        @Override
        boolean call(TinyClaim claim, Duration atMost, BooleanSupplier question) {
            Semaphore pool = pools.computeIfAbsent(claim.backend, unused -> new Semaphore(8));
            if (!taken(pool, atMost)) {
                throw new BackendException("no connection within " + atMost, null);
            }
            try {
                return super.call(claim, atMost, question);
            } finally {
                pool.release();
            }
        }

        private static boolean taken(Semaphore pool, Duration atMost) {
            try {
                return pool.tryAcquire() || pool.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }

    /** An interrupt that comes while it waits for the store is forgotten. */
    static final class SwallowsInterrupts extends TinyStore {
        @Override
        boolean call(TinyClaim claim, Duration atMost, BooleanSupplier question) {
            try {
                return super.call(claim, atMost, question);
            } finally {
                boolean unused = Thread.interrupted();
            }
        }
    }

    /** Whoever is interrupted while the store hangs is told no. */
    static final class AnInterruptIsNo extends TinyStore {
        @Override
        boolean unanswered(Duration atMost) {
            return !Thread.currentThread().isInterrupted() && super.unanswered(atMost);
        }
    }

    /** An operator who asks a store that hangs is told that there is nothing. */
    static final class SilenceIsNothing extends TinyStore {
        @Override
        <T> T told(Duration atMost, Supplier<T> question, T nothing) {
            return isResumed(atMost) ? question.get() : nothing;
        }
    }

    /** A client that could not release a lock thinks that it has it, and enters again without asking the store. */
    static final class EntersAgainAfterAnUnclearRelease extends TinyStore {
        private final Set<String> unclear = ConcurrentHashMap.newKeySet();

        @Override
        Claim driver(TinyClaim claim) {
            String place = key(claim) + " of " + System.identityHashCode(claim.backend);
            return new ForwardingClaim(claim) {
                @Override
                public boolean tryAcquire(Duration atMost) throws InterruptedException {
                    return unclear.remove(place) || super.tryAcquire(atMost);
                }

                @Override
                public boolean release(Duration atMost) {
                    try {
                        return super.release(atMost);
                    } catch (BackendException unanswered) {
                        unclear.add(place);
                        throw unanswered;
                    }
                }
            };
        }
    }

    /** A release that was not answered counts as done: it is not sent again. */
    static final class SilentReleasesAreDone extends TinyStore {
        @Override
        Claim driver(TinyClaim claim) {
            return new ForwardingClaim(claim) {
                private volatile boolean unanswered;

                @Override
                public boolean release(Duration atMost) {
                    try {
                        return unanswered || super.release(atMost);
                    } catch (BackendException silence) {
                        unanswered = true;
                        throw silence;
                    }
                }
            };
        }
    }

    /** A renewal that was not answered counts as refused from then on. */
    static final class SilentRenewalsHaveFailed extends TinyStore {
        @Override
        Claim driver(TinyClaim claim) {
            return new ForwardingClaim(claim) {
                private volatile boolean failed;

                @Override
                public boolean renew(Duration lease, Duration atMost) {
                    try {
                        return !failed && super.renew(lease, atMost);
                    } catch (BackendException unanswered) {
                        failed = true;
                        throw unanswered;
                    }
                }
            };
        }
    }

    /** A renewal that finds the connection silent, or that it was silent since the last answer, is told that the lock is lost. */
    static final class AHiccupIsALoss extends TinyStore {
        /** A restart is no hiccup. */
        private static final long LEAST_NANOS = 10_000_000;

        private final AtomicInteger hiccups = new AtomicInteger();
        private long pausedAt;

        @Override
        synchronized void pause(boolean value) {
            if (value) {
                pausedAt = System.nanoTime();
            } else if (isPaused() && System.nanoTime() - pausedAt > LEAST_NANOS) {
                hiccups.incrementAndGet();
            }
            super.pause(value);
        }

        @Override
        Claim driver(TinyClaim claim) {
            return new ForwardingClaim(claim) {
                private int known = hiccups.get();

                @Override
                public boolean tryAcquire(Duration atMost) throws InterruptedException {
                    boolean granted = super.tryAcquire(atMost);
                    known = hiccups.get();
                    return granted;
                }

                @Override
                public boolean renew(Duration lease, Duration atMost) {
                    return isResumed(atMost.dividedBy(20)) && hiccups.get() == known && super.renew(lease, atMost);
                }
            };
        }
    }

    /** A claim that has given up a try asks under another name afterwards, and meets itself. */
    static final class ForgetsWhatItGaveUp extends TinyStore {
        private final Map<TinyClaim, Integer> givenUp = new HashMap<>();

        @Override
        String owner(TinyClaim claim) {
            return super.owner(claim) + " " + givenUp.getOrDefault(claim, 0);
        }

        @Override
        Claim driver(TinyClaim claim) {
            return new ForwardingClaim(claim) {
                @Override
                public boolean tryAcquire(Duration atMost) throws InterruptedException {
                    try {
                        return super.tryAcquire(atMost);
                    } catch (BackendException unanswered) {
                        synchronized (ForgetsWhatItGaveUp.this) {
                            givenUp.merge(claim, 1, Integer::sum);
                        }
                        throw unanswered;
                    }
                }
            };
        }
    }

    /** An answer that comes too late is read by the next call of the client, and so on for ever. */
    static final class ReadsTheAnswerBefore extends TinyStore {
        private final Map<TinyBackend, Queue<Boolean>> unread = new ConcurrentHashMap<>();

        @Override
        boolean call(TinyClaim claim, Duration atMost, BooleanSupplier question) {
            Queue<Boolean> answers = unread.computeIfAbsent(claim.backend, unused -> new ConcurrentLinkedQueue<>());
            super.call(claim, atMost, () -> answers.add(question.getAsBoolean()));
            Boolean first = answers.poll();
            return first != null && first;
        }
    }

    /** Each client has a thread that does not end with it. */
    static final class LeavesAThread extends TinyStore {
        @Override
        void beforeOpening() {
            Thread reader = new Thread(() -> TinyBackend.pause(150_000), "reader of a client");
            reader.setDaemon(true);
            reader.start();
        }
    }

    /** A try that is refused waits for a tenth of a second, whether it was to wait or not, and asks again. */
    static final class TriesForATenth extends TinyStore {
        @Override
        boolean tryAcquire(TinyClaim claim) {
            if (super.tryAcquire(claim)) {
                return true;
            }
            TinyBackend.pause(100);
            return super.tryAcquire(claim);
        }
    }
}
