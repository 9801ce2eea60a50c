// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static io.mortise.lock.redis.Claims.AMPLE;
import static io.mortise.lock.redis.Claims.LEASE;
import static io.mortise.lock.redis.Claims.granted;
import static io.mortise.lock.redis.Claims.plain;
import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.tck.scene.BackgroundTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** P4: a server that forgets its scripts in the midst of the work is told them again, and nobody notices. */
class ScriptCacheTest extends RedisServerTest {
    @Test
    void everyCallSurvivesAForgottenScript() throws InterruptedException {
        try (RedisBackend backend = Claims.open(server.url())) {
            Claim claim = plain(backend, "each");
            forget();
            granted(claim);
            forget();
            assertThat(claim.renew(LEASE, AMPLE)).isTrue();
            forget();
            assertThat(claim.raiseToken(claim.fencingToken() + 10, AMPLE)).isTrue();
            forget();
            assertThat(backend.inspect("each", AMPLE)).isPresent();
            forget();
            assertThat(backend.list("ea", "", 10, AMPLE)).hasSize(1);
            forget();
            assertThat(backend.revoke("each", "test", false, AMPLE)).isTrue();
            forget();
            assertThat(claim.release(AMPLE)).isTrue();
        }
    }

    @Test
    void aBatchSurvivesAForgottenScript() throws InterruptedException {
        try (RedisBackend backend = Claims.open(server.url())) {
            List<Claim> claims = new ArrayList<>();
            for (int i = 0; i < 350; i++) {
                claims.add(granted(plain(backend, "batch-" + i)));
            }
            forget();
            assertThat(backend.renewAll(Claims.renewals(claims.toArray(Claim[]::new)), AMPLE))
                    .isEqualTo(Collections.nCopies(350, Answer.YES));
        }
    }

    /** Two clients take turns and a third holds on while the server forgets its scripts all the time. */
    @Test
    void workGoesOnWhileScriptsAreForgotten() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        LockOptions options = LockOptions.defaults().withLease(Duration.ofSeconds(3));
        try (LockClient one = LockClient.connect(server.url());
                LockClient other = LockClient.connect(server.url());
                Lease held = one.lock("kept", options).acquire()) {
            BackgroundTask<Integer> forgetting = new BackgroundTask<>("forgetting scripts", () -> {
                int times = 0;
                for (; !over.get(); times++) {
                    forget();
                }
                return times;
            });
            BackgroundTask<Integer> first = new BackgroundTask<>("first client", () -> takeTurns(one));
            assertThat(takeTurns(other) + first.get(Duration.ofMinutes(1))).isEqualTo(400);
            over.set(true);
            assertThat(forgetting.get(Duration.ofMinutes(1))).isGreaterThan(10);
            held.ensureHeld();
        }
    }

    private static int takeTurns(LockClient client) throws InterruptedException {
        int turns = 0;
        for (int i = 0; i < 200; i++) {
            turns += client.lock("turns").acquire().release() ? 1 : 0;
        }
        return turns;
    }

    private static void forget() {
        server.command("SCRIPT", "FLUSH");
    }
}
