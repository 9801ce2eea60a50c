// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static io.mortise.lock.redis.Claims.AMPLE;
import static io.mortise.lock.redis.Claims.assertUnknown;
import static io.mortise.lock.redis.Claims.free;
import static io.mortise.lock.redis.Claims.granted;
import static io.mortise.lock.redis.Claims.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.tck.scene.BackgroundTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many calls at once over one connection, whose answers must not be mixed up, and which may fall silent. */
@Timeout(120)
class SharedConnectionTest extends BehindAProxy {
    private static final int MANY = 48;

    @Override
    RedisBackend open(String url) {
        return Claims.openSharing(url);
    }

    @BeforeEach
    void warm() throws InterruptedException {
        // The server knows the scripts from here on: none has to be sent twice.
        free(other, "warm");
        await().atMost(AMPLE).until(this::canShare);
    }

    private boolean canShare() {
        return ((PipelinedRedisBackend) backend).canShare();
    }

    @Test
    void manyCallsAtOnceOpenNoConnections() throws Exception {
        long before = network.accepted();
        network.delayReplies(Duration.ofMillis(100));

        List<BackgroundTask<Claim>> tries = inParallel("lock");
        List<Claim> claims = new ArrayList<>();
        for (BackgroundTask<Claim> each : tries) {
            claims.add(each.get(AMPLE));
        }

        assertThat(network.accepted()).isEqualTo(before);
        network.heal();
        for (Claim claim : claims) {
            assertThat(claim.storeIncarnation(AMPLE)).isPresent();
            assertThat(claim.release(AMPLE)).isTrue();
        }
    }

    /** Some calls are over before their answers come; the calls after them must not take those for their own. */
    @Test
    void aLateAnswerIsItsOwn() throws Exception {
        network.delayReplies(Duration.ofMillis(250));
        for (int round = 0; round < 3; round++) {
            await().atMost(AMPLE).until(this::canShare);
            Claim impatient = plain(backend, "impatient");
            BackgroundTask<Claim> over = new BackgroundTask<>("impatient try", () -> {
                assertUnknown(() -> impatient.tryAcquire(Duration.ofMillis(200)));
                return impatient;
            });
            List<BackgroundTask<Claim>> tries = inParallel("round-" + round + "-");
            over.get(AMPLE);
            for (int i = 0; i < MANY; i++) {
                Claim claim = tries.get(i).get(AMPLE);
                assertThat(other.inspect("round-" + round + "-" + i, AMPLE))
                        .hasValueSatisfying(
                                holder -> assertThat(holder.fencingToken()).isEqualTo(claim.fencingToken()));
            }
            impatient.release(AMPLE);
        }
        free(other, "impatient");
    }

    @Test
    void anInterruptEndsATryThatIsNotAnswered() throws Exception {
        network.freezeReplies();
        Claim claim = plain(backend, "lock");
        BackgroundTask<Boolean> waiting = new BackgroundTask<>("try", () -> claim.tryAcquire(AMPLE));
        await().atMost(AMPLE).until(() -> other.inspect("lock", AMPLE).isPresent());

        waiting.thread().interrupt();

        assertThatThrownBy(() -> waiting.get(Duration.ofSeconds(3))).isInstanceOf(InterruptedException.class);
        network.heal();
        claim.release(AMPLE);
        free(other, "lock");
    }

    /** A release is sent once. Who waits for its end learns when it cannot free the lock any more. */
    @Test
    void aReleaseThatIsNotAnsweredTellsWhenItIsOver() throws Exception {
        Claim claim = granted(plain(backend, "lock"));
        await().atMost(AMPLE).until(this::canShare);
        network.freezeReplies();
        BackendException[] unanswered = new BackendException[1];
        assertUnknown(() -> claim.release(Duration.ofMillis(200)))
                .satisfies(failure -> unanswered[0] = (BackendException) failure);
        assertThat(unanswered[0].end())
                .hasValueSatisfying(end -> assertThat(end).isNotDone());

        network.heal();

        await().atMost(AMPLE)
                .until(() ->
                        unanswered[0].end().orElseThrow().toCompletableFuture().isDone());
        free(other, "lock");
    }

    @Test
    void aServerThatIsRestartedIsFoundAgain() throws Exception {
        granted(plain(backend, "lock"));
        server.restartEmpty();

        granted(plain(backend, "lock"));
        await().atMost(AMPLE).until(this::canShare);
        Claim next = granted(plain(backend, "next"));
        assertThat(next.storeIncarnation(AMPLE).orElseThrow().id())
                .isEqualTo(granted(plain(other, "another"))
                        .storeIncarnation(AMPLE)
                        .orElseThrow()
                        .id());
    }

    private List<BackgroundTask<Claim>> inParallel(String name) {
        List<BackgroundTask<Claim>> tries = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            Claim claim = plain(backend, name + i);
            tries.add(new BackgroundTask<>("try", () -> granted(claim)));
        }
        return tries;
    }
}
