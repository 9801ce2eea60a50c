// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.claims;

import io.mortise.lock.redis.connections.Deadline;
import io.mortise.lock.redis.connections.RedisFailures;
import io.mortise.lock.redis.connections.RedisReply;
import io.mortise.lock.redis.scripts.Replication;
import io.mortise.lock.redis.scripts.Script;
import io.mortise.lock.redis.scripts.ScriptCall;
import io.mortise.lock.redis.scripts.ScriptRunner;
import io.mortise.lock.spi.BackendException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Renews many claims with a few scripts: one for a hundred claims, in a Cluster one for each slot. Thread-safe. */
public final class RedisRenewal {
    private static final int MOST_IN_ONE_SCRIPT = 100;

    private final ScriptRunner scripts;
    private final Replication replication;
    private final boolean slotsMatter;

    /** {@code slotsMatter}: whether the keys of one script must be in one slot. */
    public RedisRenewal(ScriptRunner scripts, Replication replication, boolean slotsMatter) {
        this.scripts = scripts;
        this.replication = replication;
        this.slotsMatter = slotsMatter;
    }

    /** For each claim whether it holds, or the exception that tells why that is not known. */
    public List<Object> renew(List<RedisClaim> claims, Deadline deadline) {
        long asked = System.nanoTime();
        List<List<Integer>> groups = groups(claims);
        List<ScriptCall> calls = new ArrayList<>(groups.size());
        for (List<Integer> group : groups) {
            calls.add(call(group.stream().map(claims::get).toList()));
        }
        List<Object> told = scripts.runAll(calls, deadline, replication);
        Object[] answers = new Object[claims.size()];
        for (int i = 0; i < calls.size(); i++) {
            read(told.get(i), groups.get(i), claims, asked, answers);
        }
        return List.of(answers);
    }

    private static void read(Object told, List<Integer> group, List<RedisClaim> claims, long asked, Object[] answers) {
        for (int i = 0; i < group.size(); i++) {
            int claim = group.get(i);
            if (told instanceof List<?> each) {
                String answer = RedisReply.text(each.get(i));
                answers[claim] = answer.equals("foreign")
                        ? new BackendException(
                                "the key of the lock holds something that is no lock; look at it, then delete it", null)
                        : claims.get(claim).renewed(answer, asked);
            } else {
                answers[claim] = RedisFailures.unanswered((Throwable) told);
            }
        }
    }

    private List<List<Integer>> groups(List<RedisClaim> claims) {
        Map<Integer, List<Integer>> open = new LinkedHashMap<>();
        List<List<Integer>> full = new ArrayList<>();
        for (int i = 0; i < claims.size(); i++) {
            int slot = slotsMatter ? claims.get(i).keys.slot() : 0;
            List<Integer> group = open.computeIfAbsent(slot, unused -> new ArrayList<>());
            group.add(i);
            if (group.size() == MOST_IN_ONE_SCRIPT) {
                full.add(group);
                open.remove(slot);
            }
        }
        Collection<List<Integer>> rest = open.values();
        full.addAll(rest);
        return full;
    }

    private static ScriptCall call(List<RedisClaim> claims) {
        List<String> keys = new ArrayList<>(2 * claims.size());
        Object[] arguments = new Object[2 * claims.size()];
        int next = 0;
        for (RedisClaim claim : claims) {
            keys.add(claim.keys.lock());
            keys.add(claim.keys.ended(claim.request.owner()));
            arguments[next++] = claim.request.owner();
            arguments[next++] = claim.leaseMillis();
        }
        return Script.RENEW.call(claims.get(0).keys.slot(), keys, arguments);
    }
}
