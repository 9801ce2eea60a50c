// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.operations;

import io.mortise.lock.redis.connections.RedisReply;
import io.mortise.lock.redis.scripts.Script;
import io.mortise.lock.redis.scripts.ScriptCall;
import io.mortise.lock.spi.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The renewal of some claims of one slot or server, in one call or two: a short script makes longer what its claim holds as usual, and another looks
 * at the rest. Each call is of one moment; together they are as a renewal that is asked for again. Used by one thread at a time.
 */
final class RenewedTogether {
    private final List<RedisClaim> claims;
    private final List<Duration> leases;
    private final long asked;
    private final Answer[] answers;

    /** The places of those that the short script is to renew next. */
    private final List<Integer> simple = new ArrayList<>();

    /** The places of those that are looked at after that. */
    private final List<Integer> others = new ArrayList<>();

    /** {@code asked}: a moment before the first call is sent. */
    RenewedTogether(List<RedisClaim> claims, List<Duration> leases, long asked) {
        this.claims = claims;
        this.leases = leases;
        this.asked = asked;
        answers = new Answer[claims.size()];
        Arrays.fill(answers, Answer.UNKNOWN);
        for (int i = 0; i < answers.length; i++) {
            (claims.get(i).isShorter(leases.get(i), asked) ? others : simple).add(i);
        }
    }

    /** Whether there is no call left to make. */
    boolean isDone() {
        return simple.isEmpty() && others.isEmpty();
    }

    /** The next call. */
    ScriptCall next() {
        return simple.isEmpty() ? renewal() : prolongation();
    }

    private ScriptCall prolongation() {
        List<String> locks = new ArrayList<>(simple.size());
        List<Object> arguments = new ArrayList<>(2 * simple.size());
        for (int place : simple) {
            locks.add(claims.get(place).keys().lock());
            arguments.add(claims.get(place).owner());
        }
        Duration first = leases.get(simple.get(0));
        boolean isOneForAll =
                simple.stream().allMatch(place -> leases.get(place).equals(first));
        for (int place : isOneForAll ? simple.subList(0, 1) : simple) {
            arguments.add(RedisClaim.leaseMillis(leases.get(place)));
        }
        return new ScriptCall(Script.PROLONG, locks, arguments);
    }

    private ScriptCall renewal() {
        List<String> keys = new ArrayList<>(3 * others.size());
        List<Object> arguments = new ArrayList<>(3 * others.size());
        for (int place : others) {
            RedisClaim claim = claims.get(place);
            keys.add(claim.keys().lock());
            keys.add(claim.keys().ended(claim.owner()));
            keys.add(claim.keys().queue());
            arguments.add(claim.owner());
            arguments.add(RedisClaim.leaseMillis(leases.get(place)));
            arguments.add(claim.isShorter(leases.get(place), asked) ? "shorter" : "longer");
        }
        return new ScriptCall(Script.RENEW, keys, arguments);
    }

    /** Takes the reply to the call that was next. */
    void told(List<?> reply) {
        if (simple.isEmpty()) {
            for (int i = 0; i < others.size(); i++) {
                int place = others.get(i);
                answers[place] = claims.get(place).renewed(reply.get(i), leases.get(place), asked);
            }
            others.clear();
            return;
        }
        for (int i = 0; i < simple.size(); i++) {
            int place = simple.get(i);
            if (RedisReply.number(reply.get(i)) == 1) {
                answers[place] = claims.get(place).prolonged(leases.get(place), asked);
            } else {
                others.add(place);
            }
        }
        simple.clear();
    }

    /** Unknown for a claim as long as no call has told its end, and if the key of its lock holds something else. */
    List<Answer> answers() {
        return List.of(answers);
    }
}
