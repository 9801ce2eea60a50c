// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.history;

import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.support.ForwardingClaim;
import io.mortise.lock.tck.history.Operation.Kind;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Wraps a claim and records every request and answer in the history. As thread-safe as the claim behind it. The
 * methods without a duration give the store the call limit of the scene.
 */
public final class RecordingClaim extends ForwardingClaim {
    private final String who;
    private final History history;
    private final ClaimRequest request;
    private final Runnable nudge;
    private final Duration callLimit;
    private final int number;
    private volatile boolean released;

    RecordingClaim(String who, History history, ClaimRequest request, Claim inner, Runnable nudge, Duration callLimit) {
        super(inner);
        this.who = who;
        this.history = history;
        this.request = request;
        this.nudge = nudge;
        this.callLimit = callLimit;
        this.number = history.nextClaim();
    }

    public ClaimRequest request() {
        return request;
    }

    /** Asks for the lock once; an interrupt fails the case. */
    public boolean tryAcquire() {
        try {
            return tryAcquire(callLimit);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while asking for the lock", interrupted);
        }
    }

    /** Renews the lease to the length that the request asks for. */
    public boolean renew() {
        return renew(request.lease());
    }

    public boolean renew(Duration lease) {
        return renew(lease, callLimit);
    }

    public boolean release() {
        return release(callLimit);
    }

    /** Runs what the claim was given to be run when it is worth trying again. */
    public void nudge() {
        nudge.run();
    }

    @Override
    public boolean tryAcquire(Duration atMost) throws InterruptedException {
        String asked = request.waits() ? Operation.WAITS : "";
        long begin = asked(Kind.TRY, asked);
        try {
            boolean granted = super.tryAcquire(atMost);
            record(Kind.TRY, request.lease(), begin, asked, granted ? Operation.YES : Operation.NO);
            return granted;
        } catch (InterruptedException | RuntimeException | Error unanswered) {
            record(Kind.TRY, request.lease(), begin, asked, "unknown: " + unanswered);
            throw unanswered;
        }
    }

    @Override
    public boolean renew(Duration lease, Duration atMost) {
        return recorded(Kind.RENEW, lease, "", () -> super.renew(lease, atMost));
    }

    @Override
    public boolean release(Duration atMost) {
        boolean held = recorded(Kind.RELEASE, Duration.ZERO, "", () -> super.release(atMost));
        released = true;
        return held;
    }

    @Override
    public boolean raiseToken(long token, Duration atMost) {
        return recorded(Kind.RAISE, Duration.ZERO, "to " + token, () -> super.raiseToken(token, atMost));
    }

    @Override
    public String toString() {
        return who + "#" + number;
    }

    public boolean isOf(String client) {
        return who.equals(client);
    }

    /** True once a release was answered. */
    public boolean isReleased() {
        return released;
    }

    /** The claim is asked something now. */
    long asked(Kind kind, String asked) {
        return history.asked(who, number, request.lock(), kind, asked);
    }

    /** Adds an answer to the history; {@code lease} is the one that a try or a renewal asked for. */
    void record(Kind kind, Duration lease, long begin, String asked, String answer) {
        boolean yes = answer.equals(Operation.YES);
        long until = Operation.mayHold(kind, answer) ? nanos(lease) - nanos(leaseSpent()) : 0;
        long token = yes && kind == Kind.TRY ? fencingToken() : 0;
        history.add(new Operation(
                who,
                number,
                request.lock(),
                kind,
                begin,
                history.now(),
                nanos(lease),
                asked,
                answer,
                until,
                token,
                request.tokenCount()));
    }

    private boolean recorded(Kind kind, Duration lease, String asked, BooleanSupplier call) {
        long begin = asked(kind, asked);
        try {
            boolean answer = call.getAsBoolean();
            record(kind, lease, begin, asked, answer ? Operation.YES : Operation.NO);
            return answer;
        } catch (RuntimeException | Error unanswered) {
            record(kind, lease, begin, asked, "unknown: " + unanswered);
            throw unanswered;
        }
    }

    private static long nanos(Duration duration) {
        return duration.compareTo(Duration.ofDays(36500)) > 0 ? Long.MAX_VALUE / 4 : duration.toNanos();
    }
}
