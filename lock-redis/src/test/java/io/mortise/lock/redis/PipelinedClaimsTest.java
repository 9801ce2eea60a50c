// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static io.mortise.lock.redis.Claims.AMPLE;
import static io.mortise.lock.redis.Claims.LEASE;
import static io.mortise.lock.redis.Claims.free;
import static io.mortise.lock.redis.Claims.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.LossCause;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.AsyncClaim;
import io.mortise.lock.spi.AsyncLockBackend;
import io.mortise.lock.spi.AsyncRenewal;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.tck.servers.RedisServer;
import io.mortise.lock.tck.servers.proxy.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Claims whose requests need no thread that waits, at a real server that is well, frozen, restarted or a replica. */
@Timeout(120)
class PipelinedClaimsTest {
    private static final Duration SHORT = Duration.ofMillis(300);

    private final RedisServer server = RedisServer.start();
    private final TcpProxy proxy = TcpProxy.to(server.host(), server.port());
    private final RedisBackend backend = Claims.open("redis://" + proxy.host() + ":" + proxy.port());

    @AfterEach
    void stop() {
        backend.close();
        proxy.close();
        server.close();
    }

    private AsyncLockBackend async() {
        return (AsyncLockBackend) backend;
    }

    private AsyncClaim claim(String lock) {
        return async().asyncClaim(request(lock, LEASE, false));
    }

    private static <T> T answer(CompletionStage<T> stage) {
        CompletableFuture<T> answer = stage.toCompletableFuture().copy();
        return Objects.requireNonNull(
                answer.orTimeout(AMPLE.toSeconds(), TimeUnit.SECONDS).join());
    }

    private static BackendException failure(CompletionStage<?> stage) {
        CompletableFuture<?> future = stage.toCompletableFuture();
        await().atMost(AMPLE).until(future::isDone);
        assertThat(future).isCompletedExceptionally();
        try {
            future.join();
            throw new AssertionError("it was answered");
        } catch (CompletionException failed) {
            assertThat(failed.getCause()).isInstanceOf(BackendException.class);
            return (BackendException) Objects.requireNonNull(failed.getCause());
        }
    }

    @Test
    void aClaimIsGrantedRaisedRenewedAndReleased() {
        AsyncClaim first = claim("lock");
        AsyncClaim second = claim("lock");

        assertThat(answer(first.tryAcquire(AMPLE))).isTrue();
        assertThat(first.fencingToken()).isPositive();
        assertThat(first.storeIncarnation()).isPresent();
        assertThat(answer(second.tryAcquire(AMPLE))).isFalse();
        assertThat(second.retryAfter())
                .hasValueSatisfying(left -> assertThat(left).isBetween(Duration.ZERO, LEASE));
        assertThat(answer(async().look("lock", AMPLE)))
                .hasValueSatisfying(left -> assertThat(left).isBetween(Duration.ZERO, LEASE));
        assertThat(answer(first.raiseToken(first.fencingToken() + 1_000_000, AMPLE)))
                .isTrue();
        assertThat(answer(async().renewAllAsync(
                                List.of(new AsyncRenewal(first, LEASE), new AsyncRenewal(second, LEASE)), AMPLE)))
                .containsExactly(Answer.YES, Answer.NO);
        assertThat(second.loss().cause()).isEqualTo(LossCause.TAKEN_OVER);
        assertThat(answer(first.release(AMPLE))).isTrue();
        assertThat(answer(async().look("lock", AMPLE))).isEmpty();
        assertThat(answer(second.tryAcquire(AMPLE))).isTrue();
        assertThat(second.fencingToken()).isGreaterThan(first.fencingToken() + 1_000_000);
    }

    @Test
    void manyClaimsShareOneConnection() {
        List<AsyncClaim> claims = new ArrayList<>();
        List<CompletableFuture<Boolean>> tries = new ArrayList<>();
        answer(claim("first").tryAcquire(AMPLE));
        long before = proxy.accepted();
        for (int i = 0; i < 500; i++) {
            AsyncClaim claim = claim("lock-" + i);
            claims.add(claim);
            tries.add(claim.tryAcquire(AMPLE).toCompletableFuture());
        }
        for (CompletableFuture<Boolean> one : tries) {
            assertThat(answer(one)).isTrue();
        }
        assertThat(proxy.accepted()).isEqualTo(before);

        List<AsyncRenewal> renewals =
                claims.stream().map(claim -> new AsyncRenewal(claim, LEASE)).toList();
        assertThat(answer(async().renewAllAsync(renewals, AMPLE))).hasSize(500).containsOnly(Answer.YES);
        assertThat(proxy.accepted())
                .as("renewals have a connection of their own")
                .isEqualTo(before + 1);
    }

    @Test
    void aServerThatHangsBlocksNobodyAndEachRequestEndsInItsTime() {
        AsyncClaim held = claim("held");
        answer(held.tryAcquire(AMPLE));
        server.pause();
        try {
            long began = System.nanoTime();
            List<CompletionStage<Boolean>> tries = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                tries.add(claim("x".repeat(100) + i).tryAcquire(SHORT));
            }
            CompletionStage<Boolean> patient = held.release(AMPLE);
            assertThat(System.nanoTime() - began).as("sending blocks nobody").isLessThan(AMPLE.toNanos());
            BackendException sent = failure(tries.get(0));
            assertThat(sent).hasMessageContaining("did not answer");
            assertThat(failure(tries.get(999)).end()).as("it was never sent").isEmpty();
            assertThat(patient.toCompletableFuture()).isNotDone();

            server.resume();
            assertThat(answer(patient)).isTrue();
            sent.end().ifPresent(end -> await().atMost(AMPLE).until(end.toCompletableFuture()::isDone));
        } finally {
            server.resume();
        }
        assertThat(answer(async().look("x".repeat(100) + 999, AMPLE))).isEmpty();
    }

    @Test
    void aSilentConnectionIsGivenUpAndTheNextOneServes() {
        answer(claim("before").tryAcquire(AMPLE));
        proxy.freeze();
        assertThat(failure(claim("during").tryAcquire(SHORT))).hasMessageContaining("did not answer");
        await("the connection is given up").atMost(AMPLE).until(() -> failureMessage(claim("later"))
                .map(message -> !message.contains("did not answer within"))
                .orElse(false));
        proxy.killConnections();
        proxy.heal();

        await("another one serves").atMost(AMPLE).until(() -> failureMessage(claim("after"))
                .isEmpty());
    }

    private Optional<String> failureMessage(AsyncClaim claim) {
        CompletableFuture<Boolean> granted = claim.tryAcquire(SHORT).toCompletableFuture();
        await().atMost(AMPLE).until(granted::isDone);
        return granted.isCompletedExceptionally()
                ? Optional.of(String.valueOf(failure(granted).getMessage()))
                : Optional.empty();
    }

    @Test
    void aTryWithoutAnAnswerLeavesNothingBehindItsRelease() throws InterruptedException {
        answer(claim("before").tryAcquire(AMPLE));
        proxy.freeze();
        AsyncClaim late = claim("late");
        failure(late.tryAcquire(SHORT));
        CompletionStage<Boolean> release = late.release(AMPLE);
        proxy.heal();

        assertThat(answer(release)).as("it had been granted meanwhile").isTrue();
        free(backend, "late");
    }

    @Test
    void aConnectionThatBreaksFailsWhatWasSentAndALateTryIsRefused() {
        answer(claim("before").tryAcquire(AMPLE));
        proxy.freezeReplies();
        AsyncClaim broken = claim("broken");
        CompletionStage<Boolean> tried = broken.tryAcquire(AMPLE);
        await("it is granted").atMost(AMPLE).until(() -> Long.valueOf(1)
                .equals(server.command("EXISTS", Claims.keys("broken").lock())));
        proxy.killConnections();
        proxy.heal();

        assertThat(failure(tried)).hasMessageContaining("connection");
        assertThat(answer(broken.release(AMPLE))).isTrue();
        assertThat(answer(broken.tryAcquire(AMPLE)))
                .as("its release left a mark")
                .isFalse();
        assertThat(answer(claim("broken").tryAcquire(AMPLE))).isTrue();
    }

    @Test
    void aServerThatForgetsItsScriptsOrIsRestartedServesAgain() {
        AsyncClaim before = claim("before");
        assertThat(answer(before.tryAcquire(AMPLE))).isTrue();
        server.flush();
        assertThat(answer(claim("flushed").tryAcquire(AMPLE))).isTrue();

        server.restartEmpty();
        AsyncClaim after = claim("after");
        await().atMost(AMPLE).ignoreExceptions().until(() -> answer(after.tryAcquire(AMPLE)));
        assertThat(after.storeIncarnation().orElseThrow().id())
                .isNotEqualTo(before.storeIncarnation().orElseThrow().id());
    }

    @Test
    void aReplicaIsRefused() {
        try (RedisServer master = RedisServer.start()) {
            server.command("REPLICAOF", master.host(), String.valueOf(master.port()));
            BackendException refused = failure(claim("lock").tryAcquire(AMPLE));
            assertThat(refused.kind()).isEqualTo(BackendException.Kind.REFUSED);
            assertThat(refused).hasMessageContainingAll("is a replica of", String.valueOf(master.port()));
        }
    }

    @Test
    void aClosedBackendSaysSo() {
        AsyncClaim claim = claim("lock");
        answer(claim.tryAcquire(AMPLE));
        server.pause();
        try {
            CompletionStage<Boolean> open = claim.release(AMPLE);
            backend.close();
            assertThat(failure(open)).isInstanceOf(BackendException.class);
            assertThat(failure(claim.release(AMPLE)).kind()).isEqualTo(BackendException.Kind.CLOSED);
        } finally {
            server.resume();
        }
    }

    @Test
    void aWrongPasswordIsTold() {
        server.command("CONFIG", "SET", "requirepass", "secret");
        try (RedisBackend given = Claims.open("redis://:secret@" + proxy.host() + ":" + proxy.port())) {
            assertThatThrownBy(() -> server.command("PING")).hasMessageContaining("NOAUTH");
            AsyncClaim claim = ((AsyncLockBackend) given).asyncClaim(request("lock", LEASE, false));
            assertThat(claim.tryAcquire(AMPLE).toCompletableFuture().join()).isTrue();
        }
        assertThat(failure(claim("lock").tryAcquire(AMPLE))).hasMessageContaining("wants a password");
    }
}
