// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static io.mortise.lock.redis.Claims.LEASE;
import static io.mortise.lock.redis.Claims.granted;
import static io.mortise.lock.redis.Claims.plain;
import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.servers.RedisServer;
import io.mortise.lock.tck.servers.proxy.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** K6, J5: connections that have gone silent, without a word of their end, while new ones work. */
class SilentConnectionsTest {
    private static final int PARALLEL = 8;

    /** What a call may take; half of it is left for another connection. */
    private static final Duration CALL = Duration.ofSeconds(6);

    private RedisServer server;
    private TcpProxy network;
    private RedisBackend backend;

    @BeforeEach
    void start() throws Exception {
        server = RedisServer.start();
        network = TcpProxy.to(server.host(), server.port());
        backend = Claims.open("redis://" + network.host() + ":" + network.port());
        network.delayReplies(Duration.ofMillis(300));
        for (Claim claim : tryAll("warm")) {
            assertThat(claim.release(CALL)).isTrue();
        }
        assertThat(network.accepted()).as("connections").isGreaterThan(2);
        network.heal();
    }

    @AfterEach
    void stop() {
        backend.close();
        network.close();
        server.close();
    }

    @Test
    void parallelTriesFindOtherConnectionsInTime() throws Exception {
        network.silenceConnections();

        for (Claim claim : tryAll("lock")) {
            assertThat(claim.renew(LEASE, CALL)).isTrue();
            assertThat(claim.release(CALL)).isTrue();
        }
    }

    @Test
    void aRenewalFindsAnotherConnectionInTime() throws Exception {
        Claim first = granted(plain(backend, "first"));
        Claim second = granted(plain(backend, "second"));
        network.silenceConnections();

        assertThat(backend.renewAll(Claims.renewals(first, second), CALL)).containsExactly(Answer.YES, Answer.YES);
        network.silenceConnections();
        assertThat(first.renew(LEASE, CALL)).isTrue();
        network.silenceConnections();
        assertThat(backend.inspect("first", CALL)).isPresent();
    }

    /** It may have been the first request that freed the lock, so a second one would not know whose answer it gets. */
    @Test
    void aReleaseIsSentOnceAndTheNextOneWorks() throws Exception {
        Claim claim = granted(plain(backend, "released"));
        network.silenceConnections();

        Claims.assertUnknown(() -> claim.release(Duration.ofMillis(500)));
        assertThat(claim.release(CALL)).isTrue();
    }

    private List<Claim> tryAll(String lock) throws Exception {
        List<BackgroundTask<Claim>> tries = new ArrayList<>();
        for (int i = 0; i < PARALLEL; i++) {
            Claim claim = plain(backend, lock + "-" + i);
            tries.add(new BackgroundTask<>("try", () -> {
                assertThat(claim.tryAcquire(CALL)).isTrue();
                return claim;
            }));
        }
        List<Claim> claims = new ArrayList<>();
        for (BackgroundTask<Claim> attempt : tries) {
            claims.add(attempt.get(Duration.ofSeconds(30)));
        }
        return claims;
    }
}
