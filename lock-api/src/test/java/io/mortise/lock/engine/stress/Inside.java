// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.stress;

import io.mortise.lock.Lease;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockReleaseException;
import io.mortise.lock.engine.stress.Attempt.Phase;
import io.mortise.lock.engine.stress.Tally.Count;
import io.mortise.lock.engine.stress.Weather.Evil;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** What one caller does under a lease, and what it checks there. Used by one thread. */
final class Inside {
    private final Weather weather;
    private final Grants grants;
    private final Attempt attempt;
    private final Lease lease;

    Inside(Weather weather, Grants grants, Attempt attempt, Lease lease) {
        this.weather = weather;
        this.grants = grants;
        this.attempt = attempt;
        this.lease = lease;
    }

    /** Works for a while, or until the lease is lost, and then until that is told. */
    void work(boolean isInterruptedAtLoss) {
        attempt.phase = Phase.INSIDE;
        Tally.add(Count.GRANTS);
        attempt.token = lease.fencingToken();
        listen();
        if (weather.has(Evil.EXTENSIONS) && weather.dice.chance(0.3)) {
            extend();
        }
        long end = Time.now() + length();
        while (look()) {
            long left = end - Time.now();
            if (left <= 0 || !weather.isRaging()) {
                break;
            }
            LockSupport.parkNanos(Math.min(left, weather.dice.between(200_000, 4_000_000)));
            attempt.interrupted |= Thread.interrupted();
        }
        if (attempt.seenLost > 0) {
            awaitNotice(isInterruptedAtLoss);
        }
        attempt.releaseBegin = Time.now();
    }

    private long length() {
        long nanos = weather.lease.toNanos();
        return switch (weather.dice.below(20)) {
            case 0 -> weather.dice.chance(0.3) ? 3 * nanos : nanos / 4 + weather.dice.below((int) nanos);
            default -> weather.dice.below(3_000_000);
        };
    }

    /** The length that is promised must have been confirmed. */
    private void extend() {
        long asked = Time.now();
        try {
            Duration promised = lease.extend(weather.extendedLease());
            Tally.add(Count.EXTENSIONS);
            checkEnd(asked + promised.toNanos(), "a lease is promised for longer than was confirmed");
        } catch (LockLostException lost) {
            // That is seen at the next look, too.
        }
    }

    private void listen() {
        Attempt told = attempt;
        Weather ofRound = weather;
        if (!weather.dice.chance(0.7)) {
            return;
        }
        lease.onLost(loss -> {
            told.toldAt = Time.now();
            Tally.add(Count.LOSSES_TOLD);
            if (ofRound.strikes(Evil.LISTENER_ERRORS)) {
                Injected.error(ofRound.dice);
            }
        });
        attempt.listening = true;
        if (weather.dice.chance(0.3)) {
            lease.whenRevoked((revoked, reason) -> Tally.add(Count.REVOCATIONS_HEARD));
        }
        lease.onAtRisk(left -> {
            if (ofRound.strikes(Evil.LISTENER_ERRORS)) {
                Injected.error(ofRound.dice);
            }
        });
    }

    /** Whether the lease is held; checks that it may be. */
    boolean look() {
        long now = Time.now();
        if (!lease.isHeld()) {
            if (attempt.seenLost == 0) {
                attempt.seenLost = Time.now();
            }
            return false;
        }
        if (attempt.seenLost > 0) {
            attempt.fault("a lease that was not held is held again");
        }
        if (attempt.heldFrom == 0) {
            attempt.heldFrom = now;
        }
        attempt.heldTo = now;
        if (now > attempt.member.closed()) {
            attempt.fault("a lease is held after its client was closed");
        }
        checkEnd(now, "a lease is held after its end");
        return true;
    }

    private void checkEnd(long moment, String what) {
        if (attempt.grant == null) {
            attempt.grant = grants.of(attempt.name, attempt.token);
        }
        if (attempt.grant != null && moment > attempt.grant.confirmedUntil()) {
            attempt.fault(what);
        }
    }

    /** The lease is lost: its listeners are told soon, and the thread of a task is interrupted at once. */
    private void awaitNotice(boolean isInterruptedAtLoss) {
        Time.Limit forInterrupt = new Time.Limit(Time.SLACK);
        Time.Limit forListener = new Time.Limit(weather.evils.contains(Evil.CROWDS) ? Crowd.LATEST : Time.SLACK);
        while (true) {
            boolean awaitsInterrupt = isInterruptedAtLoss && !attempt.interrupted;
            boolean awaitsListener = attempt.listening && attempt.toldAt == 0;
            if (awaitsInterrupt && forInterrupt.isOver()) {
                attempt.fault("a task was not interrupted at the loss in time");
                return;
            }
            if (awaitsListener && forListener.isOver()) {
                attempt.fault("a listener was not told of a loss in time");
                return;
            }
            if (!awaitsInterrupt && !awaitsListener) {
                break;
            }
            LockSupport.parkNanos(500_000);
            attempt.interrupted |= Thread.interrupted();
        }
        if (attempt.listening && !weather.isShort()) {
            long ended = attempt.grant == null
                    ? attempt.seenLost
                    : Math.min(attempt.seenLost, attempt.grant.confirmedUntil());
            Tally.max(Count.SLOWEST_NOTICE, (attempt.toldAt - ended) / 1000);
        }
    }

    /** Releases in one of the ways, and checks that it says what happened. */
    void release() {
        attempt.phase = Phase.LEAVING;
        boolean held = look();
        attempt.releaseBegin = Time.now();
        try {
            if (weather.dice.chance(0.5)) {
                boolean answer = lease.release();
                ended(held, answer);
                if (weather.dice.chance(0.3) && lease.release() != answer) {
                    attempt.fault("a second release() answered something else");
                }
            } else {
                lease.close();
                ended(held, true);
            }
        } catch (LockLostException lost) {
            ended(held, false);
        } catch (LockReleaseException unanswered) {
            ended(held, true);
            attempt.outcome = "release unanswered";
        }
    }

    /** The call that ended the lease said that it was held until then, or that it was lost. */
    void ended(boolean seenHeld, boolean saidHeld) {
        attempt.saidHeld = saidHeld;
        attempt.saidLost = !saidHeld;
        if (!saidHeld) {
            if (attempt.seenLost == 0) {
                attempt.seenLost = Time.now();
            }
            awaitNotice(false);
            return;
        }
        if (!seenHeld) {
            attempt.fault("a lease that was lost ended without a word");
        } else {
            attempt.heldTo = attempt.releaseBegin;
            checkEnd(attempt.releaseBegin, "a lease ended as held after its end");
        }
    }
}
