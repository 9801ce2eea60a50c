// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import io.mortise.lock.spi.Feature;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Wrong ways to let waiters wait. */
final class WrongQueues {
    private WrongQueues() {}

    /** Says that it is fair, and is not. */
    static final class OnlySaysFair extends TinyStore {
        @Override
        Set<Feature> features() {
            return EnumSet.allOf(Feature.class);
        }
    }

    /** Says that it nudges, and does not. */
    static final class NeverNudges extends TinyStore {
        @Override
        void leave(TinyClaim claim) {
            waiting.clear();
        }

        @Override
        boolean release(TinyClaim claim) {
            synchronized (this) {
                waiting.clear();
            }
            return super.release(claim);
        }
    }

    /** W8: a release wakes everybody who waits. */
    static final class WakesEverybody extends TinyStore {
        @Override
        List<TinyClaim> told(List<TinyClaim> waiters) {
            return waiters;
        }
    }

    /** Tells waiters to come back when the holder's lease is over, and until then relies on telling them. */
    private static class Trusting extends TinyStore {
        @Override
        Optional<Duration> retryAfter(TinyClaim claim) {
            synchronized (this) {
                Entry entry = live(claim);
                return Optional.of(Duration.ofNanos(entry == null ? 0 : entry.until - now()));
            }
        }
    }

    /** A waiter whose connection was cut is told nothing any more, and does not know it. */
    static final class CutSubscriptionsStayCut extends Trusting {
        @Override
        synchronized void killConnections() {
            waiting.clear();
        }
    }

    /** Answers the waiter, and notes a little later that it waits. */
    static final class SubscribesLater extends Trusting {
        @Override
        boolean tryAcquire(TinyClaim claim) {
            boolean granted = super.tryAcquire(claim);
            if (!granted && claim.request.waits()) {
                synchronized (this) {
                    leave(claim);
                }
                Thread later = new Thread(() -> {
                    TinyBackend.pause(150);
                    synchronized (this) {
                        waiting.computeIfAbsent(key(claim), unused -> new ArrayList<>())
                                .add(claim);
                    }
                });
                later.setDaemon(true);
                later.start();
            }
            return granted;
        }
    }

    /** A queue in which only the head gets the lock. The mistakes are in how one gets out of it. */
    private static class Strict extends TinyStore {
        final Map<String, Deque<TinyClaim>> lines = new HashMap<>();

        @Override
        Set<Feature> features() {
            return EnumSet.allOf(Feature.class);
        }

        @Override
        synchronized boolean tryAcquire(TinyClaim claim) {
            Deque<TinyClaim> line = lines.computeIfAbsent(key(claim), unused -> new ArrayDeque<>());
            boolean first = line.isEmpty() || line.peek() == claim;
            if (first && super.tryAcquire(claim)) {
                line.remove(claim);
                return true;
            }
            Entry entry = live(claim);
            if (entry != null && entry.claim == claim) {
                return super.tryAcquire(claim);
            }
            if (claim.request.waits() && !line.contains(claim)) {
                line.add(claim);
            }
            return false;
        }

        @Override
        boolean release(TinyClaim claim) {
            boolean held = super.release(claim);
            TinyClaim head;
            synchronized (this) {
                Deque<TinyClaim> line = lines.getOrDefault(key(claim), new ArrayDeque<>());
                gone(line, claim);
                head = line.peek();
            }
            if (head != null) {
                head.nudge.run();
            }
            return held;
        }

        void gone(Deque<TinyClaim> line, TinyClaim claim) {
            line.remove(claim);
        }
    }

    /** W18: a waiter that gives up, by an interrupt for instance, leaves its place behind. */
    static final class WaitersLeaveTheirPlace extends Strict {
        @Override
        void gone(Deque<TinyClaim> line, TinyClaim claim) {
            if (claim.fence > 0) {
                line.remove(claim);
            }
        }
    }

    /** A waiter that died stays the first in line for ever. */
    static final class TheDeadStayInLine extends Strict {}

    /** A waiter that died is waited for for ten seconds, and so is the next one. */
    static final class EachDeadCostsTenSeconds extends Strict {
        private final Map<String, Long> headSince = new HashMap<>();

        @Override
        synchronized boolean tryAcquire(TinyClaim claim) {
            Deque<TinyClaim> line = lines.getOrDefault(key(claim), new ArrayDeque<>());
            boolean free = live(claim) == null;
            Long since = headSince.get(key(claim));
            if (!free || line.isEmpty() || line.peek() == claim) {
                headSince.remove(key(claim));
            } else if (since == null) {
                headSince.put(key(claim), now());
            } else if (now() - since > 10_000_000_000L) {
                line.remove();
                headSince.remove(key(claim));
            }
            return super.tryAcquire(claim);
        }
    }

    /** Nudges the first claim of the client that waits for anything. */
    static final class NudgesTheFirstOfTheClient extends TinyStore {
        private final List<TinyClaim> arrivals = new ArrayList<>();

        @Override
        boolean tryAcquire(TinyClaim claim) {
            synchronized (this) {
                arrivals.add(claim);
            }
            return super.tryAcquire(claim);
        }

        @Override
        List<TinyClaim> told(List<TinyClaim> waiters) {
            return super.told(waiters).stream().map(this::firstOfClient).toList();
        }

        private TinyClaim firstOfClient(TinyClaim waiter) {
            return arrivals.stream()
                    .filter(claim -> claim.backend == waiter.backend)
                    .filter(claim -> waiting.getOrDefault(key(claim), List.of()).contains(claim))
                    .findFirst()
                    .orElse(waiter);
        }
    }
}
