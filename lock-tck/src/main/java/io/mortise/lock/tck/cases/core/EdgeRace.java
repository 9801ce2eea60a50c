// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.core;

import static io.mortise.lock.tck.scene.Expect.safe;
import static io.mortise.lock.tck.scene.Expect.that;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.history.History;
import io.mortise.lock.tck.history.LockNames;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.scene.Scene;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.opentest4j.TestAbortedException;

/**
 * Lets the holder of a lock do something at the very moment at which the lock becomes another's, hundreds of times. Each
 * answer tells whether it came before that moment or after it, and so when the next one is to come: a store that leaves a gap of
 * a tenth of a millisecond between two steps is met in that gap again and again. The calls are too many to be recorded.
 */
final class EdgeRace {
    /** What the holder does; true if the store said yes. */
    interface Deed {
        boolean of(Round round) throws InterruptedException;
    }

    /** How the lock becomes free for the next one. */
    enum Change {
        /** The holder's lease ends. */
        END_OF_LEASE,
        /** Somebody revokes the lock at once. */
        REVOCATION
    }

    private static final Duration TIME = Duration.ofMillis(300);
    /** On a machine that has other things to do, both sides seldom run at the same time. */
    private static final int MOST_TIMES = 8;
    /** So many rounds are to be close, for all lanes together. */
    private static final int ENOUGH = 200;
    /** In a close round both sides are on time, and ask within this time and two round trips of each other. */
    private static final long CLOSE = 120_000;
    /** The time between the ends of two leases, if the store answers so fast; else some round trips. */
    private static final Duration SPACE = Duration.ofNanos(100_000);

    private static final int TRIPS = 4;
    private static final int MOST_TOGETHER = 64;
    private static final int LEAST_TOGETHER = 4;
    /** So long the locks of a batch may take to be granted, if the store answers as fast as usual. */
    private static final Duration GRANTING = Duration.ofMillis(30);
    /** A store that takes longer for an answer leaves the processor to others: several races fit into the same time. */
    private static final Duration SLOW = Duration.ofNanos(150_000);

    private static final int LANES = 4;
    private static final long LONGEST_STEP = 1_000_000;
    private static final long SHORTEST_STEP = 8_000;
    /** What comes so much later than planned tells nothing about the plan. */
    private static final long LATE = 50_000;

    private static final long SPIN = 300_000;
    private static final long BREATH = 6_000;
    private static final long MOST_SLACK = 20_000_000;

    private final Scene scene;
    private final Change change;
    private final boolean keeps;
    private final Deed deed;
    private final Consumer<Round> judge;
    private final Duration atMost;
    private final Duration ample;
    private final Duration trip;
    private final Duration space;
    private final int together;
    /** The lease that ends first; each one after it is a space longer. */
    private final Duration lease;

    private boolean renewedToLess;
    private boolean asksUntilDecided;

    /**
     * A race of a deed with a change of hands.
     *
     * @param keeps whether a yes means that the holder keeps the lock, if only the end of its lease could take it
     * @param judge checks a round whose lock the next one has got, before the next one releases it
     */
    EdgeRace(Scene scene, Change change, boolean keeps, Deed deed, Consumer<Round> judge) {
        this.scene = scene;
        this.change = change;
        this.keeps = keeps;
        this.deed = deed;
        this.judge = judge;
        atMost = scene.callLimit();
        ample = scene.honoured(scene.limit());
        trip = scene.timing().roundTrip();
        Duration trips = trip.multipliedBy(TRIPS);
        space = trips.compareTo(SPACE) > 0 ? trips : SPACE;
        together = (int) Math.max(LEAST_TOGETHER, Math.min(MOST_TOGETHER, GRANTING.dividedBy(trip.plusNanos(1))));
        lease = leaseThatEnds(scene.backend("A").leaseBounds());
    }

    /** Lets the holders ask for long leases, which a renewal makes short. */
    EdgeRace renewedToLess() {
        renewedToLess = true;
        return this;
    }

    /** The deed lasts until the lock has changed hands, so it only needs to begin before. */
    EdgeRace asksUntilDecided() {
        asksUntilDecided = true;
        return this;
    }

    private Duration leaseThatEnds(LeaseBounds bounds) {
        Duration granting = trip.multipliedBy(2L * together).plusMillis(1);
        Duration shortest = bounds.shortest().compareTo(granting) > 0 ? bounds.shortest() : granting;
        if (change == Change.END_OF_LEASE && (!bounds.outlivesHolder() || shortest.compareTo(scene.lease()) > 0)) {
            throw new TestAbortedException("skipped: the store has no leases of "
                    + scene.lease().toMillis() + " ms that end by themselves (LeaseBounds)");
        }
        return shortest;
    }

    /** Runs it for a third of a second; on a slow store, or a busy machine, for longer. */
    void run() throws Exception {
        int lanes = scene.timing().roundTrip().compareTo(SLOW) > 0 ? LANES : 1;
        List<BackgroundTask<Integer>> running = new ArrayList<>();
        for (int i = 0; i < lanes; i++) {
            Lane lane = new Lane(scene.lock("edge-" + i));
            running.add(scene.start("edge " + i, () -> lane.run(ENOUGH / lanes)));
        }
        int played = 0;
        for (BackgroundTask<Integer> lane : running) {
            played += answer(lane, scene.limit().multipliedBy(4));
        }
        that(played > 0, "not one lock was granted and answered about, which proves nothing");
    }

    /** What went wrong on another thread went wrong in this case. */
    private static <T> T answer(BackgroundTask<T> task, Duration atMost) throws Exception {
        try {
            return task.get(atMost);
        } catch (AssertionError failure) {
            throw failure.getCause() instanceof AssertionError original ? original : failure;
        }
    }

    /** One lock that changes hands. */
    final class Round {
        final LockBackend ofOld;
        final LockBackend ofNext;
        final String lock;
        /** Whoever does the deed. */
        Claim old;

        final Claim next;
        private final Duration itsLease;
        private final long asked = System.nanoTime();
        /** When the lock is to become free by itself, or is to be revoked. */
        private long edge;

        /** Whether the edge is known to less than what counts as late. */
        private boolean sharp;

        private boolean yes;
        private volatile boolean revoked;
        private volatile boolean granted;
        private volatile boolean over;
        private volatile boolean unknown;
        private volatile long revokedAt;
        private long actedAt;
        private long answeredAt;
        /** Whether the holder acted at the time that it aimed at, and had found out when that is. */
        private boolean aimed;
        /** When the next one asked last. */
        private volatile long triedAt;

        Round(LockBackend ofOld, LockBackend ofNext, String lock, Duration itsLease) {
            this.ofOld = ofOld;
            this.ofNext = ofNext;
            this.lock = lock;
            this.itsLease = itsLease;
            boolean ends = change == Change.END_OF_LEASE && !renewedToLess;
            old = ofOld.claim(request("A", ends ? itsLease : ample), () -> {});
            next = ofNext.claim(request("B", ample), () -> {});
        }

        private ClaimRequest request(String label, Duration length) {
            return new ClaimRequest(lock, scene.request(lock, label).owner(), label, length, false, 0, 1);
        }

        /** What the holder was answered. */
        boolean saidYes() {
            return yes;
        }

        /** What whoever revoked the lock was answered. */
        boolean saidRevoked() {
            return revoked;
        }

        /** How long a call may take. */
        Duration atMost() {
            return atMost;
        }

        /** A lease that outlasts the round. */
        Duration ample() {
            return ample;
        }

        /** Another than the first holder asked for the lock, and has it if its answer was yes. */
        void heldBy(Claim claim) {
            old = claim;
        }

        /** What counts of a deed that asks again and again is when it asked last. */
        void actsNow() {
            actedAt = System.nanoTime();
        }

        /** Whether it is known who has the lock. */
        boolean isDecided() {
            return granted || over;
        }

        private boolean begin() throws InterruptedException {
            try {
                long before = System.nanoTime();
                boolean held = old.tryAcquire(atMost);
                if (held && renewedToLess) {
                    before = System.nanoTime();
                    held = old.renew(itsLease, atMost);
                }
                sharp = System.nanoTime() - before < trip.toNanos() + LATE;
                edge = before + itsLease.toNanos();
                return held;
            } catch (BackendException unanswered) {
                return false;
            }
        }

        /** The next one's part. */
        private void take() throws InterruptedException {
            try {
                if (change == Change.REVOCATION) {
                    awaitTime(edge);
                    revokedAt = System.nanoTime();
                    revoked = ofNext.revoke(lock, "to make room", true, atMost);
                } else {
                    awaitTime(edge - SPIN - trip.toNanos());
                }
                while (!granted && !over) {
                    triedAt = System.nanoTime();
                    granted = next.tryAcquire(atMost);
                    letGo();
                    if (Thread.currentThread().isInterrupted()) {
                        throw new InterruptedException();
                    }
                }
            } catch (BackendException unanswered) {
                unknown = true;
            }
        }

        /** Whoever asks again at once may keep the other from its turn, where the store is a monitor. */
        void letGo() {
            for (long end = System.nanoTime() + BREATH; System.nanoTime() - end < 0; ) {
                Thread.onSpinWait();
            }
        }

        private void act() throws InterruptedException {
            actedAt = System.nanoTime();
            try {
                yes = deed.of(this);
            } catch (BackendException unanswered) {
                unknown = true;
            }
            answeredAt = System.nanoTime();
            over = unknown || isKept();
        }

        private boolean isClose() {
            return !unknown && aimed && Math.abs(triedAt - actedAt) < CLOSE + 2 * trip.toNanos();
        }

        private boolean isKept() {
            return keeps && yes && change == Change.END_OF_LEASE;
        }

        /** The round's part of the time line: what races is not recorded while it does. */
        private void tell() {
            History history = scene.history();
            history.noteOf(asked, "A", "asks for " + LockNames.printable(lock) + ", and is granted it");
            if (change == Change.REVOCATION) {
                history.noteOf(revokedAt, "B", "revokes it at once, and is answered " + (revoked ? "yes" : "no"));
            } else {
                history.noteOf(edge, "A", "has held it for its lease of " + itsLease.toNanos() / 1_000 + " us");
            }
            history.noteOf(actedAt, "A", "does what the case is about");
            history.noteOf(answeredAt, "A", "is answered " + (yes ? "yes" : "no"));
            history.noteOf(triedAt, "B", "asks for it the last time, and is " + (granted ? "granted it" : "refused"));
        }

        /** What the answers must be like. */
        private void end() {
            try {
                judge();
            } catch (AssertionError broken) {
                tell();
                throw broken;
            }
        }

        /** A round in which an answer did not come, or came too late, proves nothing. */
        private void judge() {
            boolean slow = System.nanoTime() - asked > ample.toNanos() / 2;
            if (unknown || slow) {
                releaseQuietly(old);
                releaseQuietly(next);
            } else if (isKept()) {
                safe(
                        !granted,
                        "at the end of its lease a holder was told that it keeps the lock, and then another was granted it");
                safe(
                        old.release(atMost),
                        "at the end of its lease a holder was told that it keeps the lock, but it has not held it until its"
                                + " release");
            } else {
                EdgeRace.this.judge.accept(this);
                safe(
                        next.release(atMost),
                        "the next holder has lost its lock by what the holder before it did when the lock changed hands, and"
                                + " was answered with " + (yes ? "yes" : "no"));
            }
        }

        private void releaseQuietly(Claim claim) {
            try {
                claim.release(atMost);
            } catch (BackendException unanswered) {
                // The name is not used again.
                unknown = true;
            }
        }
    }

    /** One thread of holders, and one of those who come next. */
    private final class Lane {
        private final String name;
        private final LockBackend ofOld = scene.open();
        private final LockBackend ofNext = scene.open();
        private final SynchronousQueue<List<Round>> taking = new SynchronousQueue<>();
        /** How many batches the next one has gone through. */
        private volatile int taken;

        /** How long after the edge the holder acts. */
        private long offset;

        private long step = LONGEST_STEP / 8;
        private boolean lastYes;
        private int names;
        /** What the first lease of a batch is longer than the shortest. */
        private long slack = SPIN;

        Lane(String name) {
            this.name = name;
        }

        int run(int enough) throws Exception {
            BackgroundTask<Void> taker = scene.start("next of " + name, () -> {
                while (true) {
                    for (Round round : taking.take()) {
                        round.take();
                    }
                    taken++;
                }
            });
            long begin = System.nanoTime();
            int played = 0;
            int close = 0;
            for (int batch = 1; batch == 1 || goesOn(begin, close >= enough); batch++) {
                List<Round> rounds = begun();
                while (!taking.offer(rounds, 100, TimeUnit.MILLISECONDS)) {
                    rethrow(taker);
                }
                int onTime = 0;
                for (Round round : rounds) {
                    onTime += play(round) ? 1 : 0;
                }
                // On a busy machine it takes longer until both sides are there.
                slack = onTime < rounds.size() / 2 ? Math.min(MOST_SLACK, slack * 2) : slack * 7 / 8;
                awaitTaken(batch, taker, rounds);
                for (Round round : rounds) {
                    round.end();
                    names += round.unknown ? 1 : 0;
                    played += round.unknown ? 0 : 1;
                    close += round.isClose() ? 1 : 0;
                }
            }
            return played;
        }

        private boolean goesOn(long begin, boolean enough) {
            long time = TIME.toNanos() + lease.toNanos();
            return System.nanoTime() - begin < (enough ? time : TIME.toNanos() * MOST_TIMES);
        }

        /** Some stores keep a part of what a refused holder had until it lets go of it, too. */
        private void awaitTaken(int batch, BackgroundTask<Void> taker, List<Round> rounds) throws Exception {
            long patient = System.nanoTime() + scene.brief().toNanos();
            for (boolean waited = false; taken < batch; ) {
                rethrow(taker);
                LockSupport.parkNanos(LATE);
                if (!waited && System.nanoTime() - patient > 0) {
                    waited = true;
                    rounds.stream().filter(round -> !round.isKept()).forEach(round -> round.releaseQuietly(round.old));
                }
            }
        }

        private void rethrow(BackgroundTask<Void> taker) throws Exception {
            if (taker.isDone()) {
                answer(taker, atMost);
            }
        }

        private List<Round> begun() throws InterruptedException {
            List<Round> rounds = new ArrayList<>();
            for (int i = 0; i < together; i++) {
                Duration itsLease = lease.plusNanos(slack).plus(space.multipliedBy(i));
                Round round = new Round(ofOld, ofNext, name + "-" + names + "-" + i, itsLease);
                if (round.begin()) {
                    rounds.add(round);
                } else {
                    round.releaseQuietly(round.old);
                    names++;
                }
            }
            if (change == Change.REVOCATION) {
                long edge = System.nanoTime() + SPIN + slack;
                for (Round round : rounds) {
                    round.edge = edge;
                    edge += space.toNanos();
                }
            }
            return rounds;
        }

        /** Lets the holder act; false if that was too late to tell anything. */
        private boolean play(Round round) throws InterruptedException {
            long at = round.edge + (asksUntilDecided ? -space.toNanos() / 2 : offset);
            awaitTime(at);
            boolean late = System.nanoTime() - at > LATE;
            round.act();
            if (change == Change.REVOCATION) {
                long now = System.nanoTime();
                long revokedAt = round.revokedAt;
                late |= (revokedAt == 0 ? now : revokedAt) - round.edge > LATE;
            } else {
                late |= !round.sharp;
            }
            if (!late) {
                round.aimed = asksUntilDecided || step <= LATE;
                aim(round.yes);
            }
            return !late;
        }

        /** A yes came too early to meet the change of hands, a no too late. */
        private void aim(boolean yes) {
            step = yes == lastYes ? Math.min(LONGEST_STEP, step * 2) : Math.max(SHORTEST_STEP, step / 4);
            lastYes = yes;
            offset += yes ? step : -step;
        }
    }

    /** Sleeps for most of the time, and looks at the clock for the rest: a sleep ends too late for this. */
    private static void awaitTime(long nanos) throws InterruptedException {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
            if (left > SPIN) {
                LockSupport.parkNanos(left - SPIN);
            } else {
                Thread.onSpinWait();
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }
}
