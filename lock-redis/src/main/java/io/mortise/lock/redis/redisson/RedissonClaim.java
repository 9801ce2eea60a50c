// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.redisson;

import static io.mortise.lock.redis.connections.RedisFailures.STORE;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.redis.connections.RedisReply;
import io.mortise.lock.redis.operations.RedisClaim;
import io.mortise.lock.redis.scripts.Script;
import io.mortise.lock.redis.scripts.ScriptCall;
import io.mortise.lock.redis.scripts.ScriptRunner;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.support.CallDeadline;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One attempt to get a lock that Redisson's clients want, too. Its field is its own, so no other thread re-enters it. */
final class RedissonClaim implements Claim {
    private static final String FIELD = "mortise:";
    private static final int OWNER_LENGTH = 32;

    /** Names with a brace are put into the channel as they are, so that a hash tag in them stays one. */
    private static final String CHANNEL = "redisson_lock__channel:";

    private final ScriptRunner scripts;
    private final ClaimRequest request;
    private @Nullable Duration retryAfter;
    private Loss loss = new Loss(LossCause.EVICTED_OR_DELETED, "the lock's key is gone");
    private long heldUntil;

    RedissonClaim(ScriptRunner scripts, ClaimRequest request) {
        this.scripts = scripts;
        this.request = request;
    }

    /** @throws BackendException if Redis could not tell the name of the lock from another one */
    static ScriptCall call(String lock, Object... arguments) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(lock)) {
            throw BackendException.refused(
                    "the name of a lock that is kept as Redisson does must be valid Unicode", null);
        }
        return ScriptCall.of(Script.REDISSON, List.of(lock), arguments);
    }

    /** What is told of who holds: the label of a claim, or all that Redisson writes. */
    static String label(String field) {
        int end = FIELD.length() + OWNER_LENGTH + 1;
        return field.startsWith(FIELD) && field.length() >= end ? field.substring(end) : field;
    }

    private List<?> ask(CallDeadline deadline, String what, Object argument) throws InterruptedException {
        String field = FIELD + request.owner() + ":" + request.label();
        return (List<?>) scripts.run(call(request.lock(), what, field, argument), deadline);
    }

    private boolean isHeld(List<?> told) {
        switch (RedisReply.text(told.get(0))) {
            case "held" -> {
                return true;
            }
            case "taken" -> loss = new Loss(LossCause.TAKEN_OVER, "another client holds it");
            default ->
                loss = heldUntil - System.nanoTime() <= 0
                        ? new Loss(LossCause.EXPIRED, "the lease ended in the store")
                        : new Loss(LossCause.EVICTED_OR_DELETED, "the lock's key is gone");
        }
        return false;
    }

    private boolean holdsFor(Duration lease, String what, CallDeadline deadline) throws InterruptedException {
        List<?> told = ask(deadline, what, RedisClaim.leaseMillis(lease));
        retryAfter = told.size() > 1 ? Duration.ofMillis(Math.max(1, RedisReply.number(told.get(1)))) : null;
        boolean held = isHeld(told);
        heldUntil = held ? deadline.startNanos() + lease.toNanos() : heldUntil;
        return held;
    }

    @Override
    public boolean tryAcquire(Duration atMost) throws InterruptedException {
        return CallDeadline.interruptibly(STORE, atMost, deadline -> holdsFor(request.lease(), "acquire", deadline));
    }

    @Override
    public boolean renew(Duration lease, Duration atMost) {
        return CallDeadline.uninterruptibly(STORE, atMost, deadline -> holdsFor(lease, "renew", deadline));
    }

    @Override
    public boolean release(Duration atMost) {
        return CallDeadline.uninterruptibly(STORE, atMost, deadline -> isHeld(ask(deadline, "release", channel())));
    }

    private String channel() {
        String lock = request.lock();
        return CHANNEL + (lock.contains("{") ? lock : "{" + lock + "}");
    }

    @Override
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    @Override
    public Loss loss() {
        return loss;
    }
}
