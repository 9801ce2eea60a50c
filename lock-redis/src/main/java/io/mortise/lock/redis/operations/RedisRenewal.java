// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.operations;

import io.mortise.lock.redis.scripts.Replication;
import io.mortise.lock.redis.scripts.ScriptCall;
import io.mortise.lock.redis.scripts.ScriptRunner;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.support.CallDeadline;
import io.mortise.lock.spi.support.RenewalBatch;
import java.util.ArrayList;
import java.util.List;

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

    /** The answer for each claim. */
    public List<Answer> renew(List<? extends Claim> claims, CallDeadline deadline) throws InterruptedException {
        RenewalBatch<RedisClaim> batch = new RenewalBatch<>(claims, RedisClaim.class);
        List<RenewalBatch<RedisClaim>.Group> groups =
                batch.groups(claim -> slotsMatter ? claim.slot() : 0, MOST_IN_ONE_SCRIPT);
        List<ScriptCall> calls = new ArrayList<>(groups.size());
        for (RenewalBatch<RedisClaim>.Group group : groups) {
            calls.add(RedisClaim.renewal(group.claims()));
        }
        List<Object> told = scripts.runAll(calls, deadline, replication);
        for (int i = 0; i < groups.size(); i++) {
            if (told.get(i) instanceof List<?> answers) {
                read(answers, groups.get(i), deadline.startNanos());
            }
        }
        return batch.answers();
    }

    private static void read(List<?> answers, RenewalBatch<RedisClaim>.Group group, long asked) {
        List<RedisClaim> claims = group.claims();
        for (int i = 0; i < claims.size(); i++) {
            try {
                group.answer(i, claims.get(i).renewed(answers.get(i), asked) ? Answer.YES : Answer.NO);
            } catch (BackendException notALock) {
                // no answer for this claim
            }
        }
    }
}
