// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.claims;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.redis.connections.Deadline;
import io.mortise.lock.redis.connections.RedisReply;
import io.mortise.lock.redis.listening.ReleaseListener;
import io.mortise.lock.redis.scripts.KeyText;
import io.mortise.lock.redis.scripts.LockKeys;
import io.mortise.lock.redis.scripts.Script;
import io.mortise.lock.redis.scripts.ScriptCall;
import io.mortise.lock.redis.scripts.ScriptPipeline;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.StoreRun;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;

/** A claim on the keys of one lock. */
public final class RedisClaim implements Claim {
    /** How long a try waits for being able to hear calls, before it polls. */
    private static final Duration LISTENING_AT_MOST = Duration.ofMillis(200);

    private static final long MARK_MILLIS = 60_000;
    private static final String NO_PLACE = "";

    final ClaimRequest request;
    final LockKeys keys;
    private final ClaimContext context;
    private final Runnable nudge;

    private String place = NO_PLACE;
    private long number;
    private long fence;
    private long heldUntil;
    private boolean doubt;
    private StoreRunCache.@Nullable Asked question;
    private @Nullable Duration retryAfter;
    private @Nullable Loss loss;

    public RedisClaim(ClaimContext context, ClaimRequest request, Runnable nudge) {
        this.context = context;
        this.request = request;
        this.nudge = nudge;
        this.keys = LockKeys.of(context.prefix(), request.lock());
    }

    @Override
    public boolean tryAcquire(Duration atMost) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Deadline deadline = Deadline.in(atMost);
        ReleaseListener listener = request.waits() ? context.listener() : null;
        if (listener == null) {
            return ask(NO_PLACE, deadline);
        }
        boolean heard = listener.isLive();
        if (heard) {
            takePlace(listener);
        }
        // A place that was taken once is given up with the grant, heard or not.
        boolean granted = ask(place, deadline);
        if (!granted && !heard) {
            if (listener.awaitLive(deadline.noLaterThan(LISTENING_AT_MOST))) {
                takePlace(listener);
                return ask(place, deadline);
            }
            retryAfter = RetryDelay.poll(retryAfter);
        }
        return granted;
    }

    private boolean ask(String inPlace, Deadline deadline) throws InterruptedException {
        retryAfter = null;
        long asked = System.nanoTime();
        ScriptCall call = Script.ACQUIRE.call(
                keys.slot(),
                List.of(keys.lock(), keys.token(), keys.queue(), keys.ended(request.owner())),
                request.owner(),
                leaseMillis(),
                KeyText.encode(request.label()),
                request.tokenFloor(),
                request.tokenCount(),
                inPlace,
                context.reachable());
        List<?> answer = (List<?>) context.scripts().talk(keys.slot(), deadline, exchange -> tell(exchange, call));
        if (isGrant(answer)) {
            fence = Long.parseLong(text(answer.get(1)));
            heldUntil = asked + request.lease().toNanos();
            leaveLine();
            place = NO_PLACE;
            return true;
        }
        retryAfter = RetryDelay.of((Long) answer.get(1));
        return false;
    }

    /** From sending to the answer a grant may be there that nobody knows of. Where the script was refused there is none. */
    private List<?> tell(ScriptPipeline exchange, ScriptCall call) {
        question = new StoreRunCache.Asked(exchange.connection(), System.nanoTime());
        boolean earlier = doubt;
        doubt = true;
        List<?> answer;
        try {
            answer = (List<?>) exchange.run(call);
        } catch (JedisDataException refused) {
            doubt = earlier;
            throw refused;
        }
        if (isGrant(answer)) {
            confirm(exchange);
        }
        doubt = earlier;
        return answer;
    }

    /** A grant that the replicas do not have is given back. */
    private void confirm(ScriptPipeline exchange) {
        try {
            context.replication().confirm(exchange);
        } catch (BackendException | JedisDataException unconfirmed) {
            exchange.run(release(0));
            throw unconfirmed;
        }
    }

    @Override
    public boolean renew(Duration atMost) {
        Object answer =
                context.renewal().renew(List.of(this), Deadline.in(atMost)).get(0);
        if (answer instanceof RuntimeException unanswered) {
            throw unanswered;
        }
        return (Boolean) answer;
    }

    /** Takes the answer of a renewal that was sent at {@code asked}. */
    boolean renewed(String answer, long asked) {
        boolean held = explain(answer);
        if (held) {
            heldUntil = asked + request.lease().toNanos();
        }
        return held;
    }

    @Override
    public boolean release(Duration atMost) {
        // Also where Redis does not answer: whoever calls has given up, and nobody asks again for ever.
        leaveLine();
        return explain(text(context.scripts().run(release(doubt ? MARK_MILLIS : 0), Deadline.in(atMost))));
    }

    private ScriptCall release(long markMillis) {
        return Script.RELEASE.call(
                keys.slot(),
                List.of(keys.lock(), keys.queue(), keys.ended(request.owner())),
                request.owner(),
                place,
                markMillis,
                context.reachable());
    }

    @Override
    public boolean raiseToken(long token, Duration atMost) {
        if (token < 0 || token > ClaimRequest.HIGHEST_RAISED_TOKEN) {
            throw new IllegalArgumentException("token must be between 0 and 2^52 + 2^51, not " + token);
        }
        ScriptCall call = Script.RAISE.call(keys.slot(), List.of(keys.lock(), keys.token()), request.owner(), token);
        return (Long) context.scripts().run(call, Deadline.in(atMost)) == 1;
    }

    @Override
    public Optional<StoreRun> storeRun(Duration atMost) {
        return Optional.ofNullable(question).map(one -> context.runs().of(one, keys.slot(), Deadline.in(atMost)));
    }

    @Override
    public long fencingToken() {
        return fence;
    }

    @Override
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    @Override
    public Loss loss() {
        Loss told = loss;
        return told == null ? Claim.super.loss() : told;
    }

    /** What PX takes: whole milliseconds, never less than the lease. */
    long leaseMillis() {
        long millis = request.lease().toMillis();
        return request.lease().equals(Duration.ofMillis(millis)) ? millis : millis + 1;
    }

    /** Whether the answer of a script says that the claim holds; remembers why not. */
    private boolean explain(String answer) {
        switch (answer) {
            case "held" -> {
                return true;
            }
            case "taken" -> loss = new Loss(LossCause.TAKEN_OVER, "another client holds it");
            case "gone" ->
                loss = heldUntil - System.nanoTime() <= 0
                        ? new Loss(LossCause.EXPIRED, "the lease ended in the store")
                        : Claim.super.loss();
            default -> loss = new Loss(LossCause.REVOKED, KeyText.decode(answer.substring("revoked ".length())));
        }
        return false;
    }

    private void takePlace(ReleaseListener listener) {
        if (number == 0) {
            number = listener.register(nudge);
            place = request.owner() + " " + listener.channel() + " " + number;
        }
    }

    private void leaveLine() {
        ReleaseListener listener = context.listener();
        if (number != 0 && listener != null) {
            listener.unregister(number);
        }
    }

    private static boolean isGrant(List<?> answer) {
        return (Long) answer.get(0) == 1;
    }

    private static String text(Object reply) {
        return RedisReply.text(reply);
    }
}
