// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.stress;

import io.mortise.lock.Lease;
import io.mortise.lock.LockOptions;
import io.mortise.lock.engine.stress.Attempt.Phase;
import io.mortise.lock.engine.stress.Attempt.Way;
import io.mortise.lock.engine.stress.Tally.Count;
import java.util.concurrent.locks.LockSupport;

/** One thread that holds many leases at once, each with a listener, so that many losses come at one moment. */
final class Crowd implements Runnable {
    static final int LEASES = 400;

    private static final long LISTENER_NANOS = 10_000_000;
    /** How late the last listener of a client may be told: they run on a few threads, in turn. */
    static final long LATEST = Time.SLACK + LEASES * LISTENER_NANOS / 4;

    final Attempt[] attempts = new Attempt[LEASES];
    private final Lease[] leases = new Lease[LEASES];
    private final Round round;
    private final Weather weather;
    private final int firstName;

    Crowd(Round round, Weather weather, int firstName) {
        this.round = round;
        this.weather = weather;
        this.firstName = firstName;
        for (int i = 0; i < LEASES; i++) {
            attempts[i] = new Attempt();
        }
    }

    @Override
    public void run() {
        Member member = round.member();
        for (int i = 0; i < LEASES && weather.isRaging(); i++) {
            Attempt attempt = attempts[i];
            attempt.caller = "crowd";
            attempt.member = member;
            attempt.name = firstName + i;
            attempt.way = Way.TRY;
            attempt.begin = Time.now();
            attempt.phase = Phase.CALLING;
            try {
                enter(attempt, i);
            } catch (Throwable thrown) {
                attempt.thrown = thrown;
                attempt.outcome = "error";
            }
        }
        while (weather.isRaging()) {
            LockSupport.parkNanos(5_000_000);
            boolean unused = Thread.interrupted();
        }
        for (int i = 0; i < LEASES; i++) {
            if (leases[i] != null) {
                leave(attempts[i], leases[i]);
            }
            attempts[i].phase = attempts[i].phase == Phase.UNUSED ? Phase.UNUSED : Phase.ENDED;
            attempts[i].end = Time.now();
        }
        awaitNotices();
    }

    private void enter(Attempt attempt, int index) {
        LockOptions options = round.plainOptions();
        leases[index] = attempt.member
                .client
                .lock(Round.nameOf(attempt.name), options)
                .tryAcquire()
                .orElse(null);
        Lease lease = leases[index];
        if (lease != null) {
            Tally.add(Count.GRANTS);
            attempt.token = lease.fencingToken();
            attempt.grant = round.grants().of(attempt.name, attempt.token);
            lease.onLost(loss -> {
                attempt.toldAt = Time.now();
                Tally.add(Count.LOSSES_TOLD);
                // As a listener does that tells another service.
                LockSupport.parkNanos(LISTENER_NANOS);
            });
            attempt.listening = true;
        }
    }

    private static void leave(Attempt attempt, Lease lease) {
        attempt.releaseBegin = Time.now();
        try {
            boolean held = lease.release();
            attempt.saidHeld = held;
            attempt.saidLost = !held;
        } catch (Throwable unanswered) {
            attempt.thrown = unanswered;
        }
        attempt.outcome = attempt.saidHeld ? "held" : attempt.saidLost ? "lost" : "release unanswered";
    }

    /** Whoever was told that its lease was lost is told so by its listener, too; and not late, counted from the end of the lease. */
    private void awaitNotices() {
        Time.Limit limit = new Time.Limit(LATEST);
        for (Attempt attempt : attempts) {
            while (attempt.saidLost && attempt.listening && attempt.toldAt == 0) {
                if (limit.isOver()) {
                    attempt.fault("one of many listeners was not told of a loss");
                    break;
                }
                LockSupport.parkNanos(1_000_000);
                boolean unused = Thread.interrupted();
            }
            Grant grant = attempt.grant;
            if (attempt.toldAt > 0 && grant != null) {
                long late = attempt.toldAt - grant.confirmedUntil();
                if (late > LATEST + round.excused()) {
                    attempt.fault("one of many listeners was told of a loss " + Time.millis(late) + " ms late");
                }
                Tally.max(Count.SLOWEST_NOTICE_IN_CROWD, late / 1000);
            }
        }
    }
}
