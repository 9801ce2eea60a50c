// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static io.mortise.lock.redis.Claims.AMPLE;
import static io.mortise.lock.redis.Claims.LEASE;
import static io.mortise.lock.redis.Claims.assertRefused;
import static io.mortise.lock.redis.Claims.assertUnknown;
import static io.mortise.lock.redis.Claims.free;
import static io.mortise.lock.redis.Claims.granted;
import static io.mortise.lock.redis.Claims.plain;
import static io.mortise.lock.redis.Claims.refused;
import static io.mortise.lock.redis.Claims.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.LossCause;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.servers.RedisErrorException;
import io.mortise.lock.tck.servers.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** O4: what a server refuses for good is told as that, what passes is not known, and both are over when the server says so. */
class ErrorRepliesTest {
    private RedisServer server;
    private RedisBackend backend;
    private Claim holder;

    @BeforeEach
    void start() throws InterruptedException {
        server = RedisServer.start("--enable-debug-command", "yes");
        backend = Claims.open(server.url());
        holder = granted(plain(backend, "held"));
    }

    @AfterEach
    void stop() {
        backend.close();
        server.close();
    }

    @Test
    void aReplicaDoesNotGrantRenewOrRelease() throws InterruptedException {
        server.command("REPLICAOF", "127.0.0.1", "1");

        assertRefused(() -> plain(backend, "free").tryAcquire(AMPLE))
                .hasMessageContaining("replica")
                .hasMessageContaining(server.host() + ":" + server.port())
                .hasMessageContaining("READONLY");
        assertRefused(() -> holder.renew(LEASE, AMPLE)).hasMessageContaining("READONLY");
        assertRefused(() -> holder.release(AMPLE)).hasMessageContaining("READONLY");
        // Its master may know what it does not.
        assertRefused(() -> plain(backend, "free").renew(LEASE, AMPLE)).hasMessageContaining("READONLY");
        assertRefused(() -> plain(backend, "free").release(AMPLE)).hasMessageContaining("READONLY");

        assertRefused(() -> backend.renewAll(Claims.renewals(holder), AMPLE)).hasMessageContaining("READONLY");

        server.command("REPLICAOF", "NO", "ONE");
        goesOn();
    }

    /** The lock may have been released at the master: whoever waits would wait for ever on a replica. */
    @Test
    void aReplicaDoesNotSayThatALockIsHeld() throws InterruptedException {
        Claim inQueue = Claims.waiting(backend, "held", () -> {});
        Claims.refused(inQueue);
        server.command("REPLICAOF", "127.0.0.1", "1");

        assertRefused(() -> plain(backend, "held").tryAcquire(AMPLE)).hasMessageContaining("READONLY");
        assertRefused(() -> Claims.waiting(backend, "held", () -> {}).tryAcquire(AMPLE))
                .hasMessageContaining("READONLY");
        assertRefused(() -> inQueue.tryAcquire(AMPLE)).hasMessageContaining("READONLY");
        assertRefused(() -> backend.inspect("held", AMPLE)).hasMessageContaining("READONLY");

        server.command("REPLICAOF", "NO", "ONE");
        Claims.refused(inQueue);
        inQueue.release(AMPLE);
        goesOn();
    }

    @Test
    void aReplicaThatHasLostItsMasterSaysSo() throws InterruptedException {
        server.command("CONFIG", "SET", "replica-serve-stale-data", "no");
        server.command("REPLICAOF", "127.0.0.1", "1");

        assertUnknown(() -> plain(backend, "free").tryAcquire(AMPLE)).hasMessageContaining("lost its master");
        assertUnknown(() -> holder.renew(LEASE, AMPLE)).hasMessageContaining("lost its master");

        server.command("REPLICAOF", "NO", "ONE");
        goesOn();
    }

    @Test
    void aServerWithTooFewReplicasSaysSo() throws InterruptedException {
        server.command("CONFIG", "SET", "min-replicas-to-write", "1");

        assertUnknown(() -> plain(backend, "free").tryAcquire(AMPLE)).hasMessageContaining("too few replicas");
        assertUnknown(() -> holder.renew(LEASE, AMPLE)).hasMessageContaining("too few replicas");

        server.command("CONFIG", "SET", "min-replicas-to-write", "0");
        goesOn();
    }

    /** The lock is free, but nobody was called: an error after a write is no refusal. */
    @Test
    void anErrorAfterAWriteIsNotKnown() {
        server.command("RPUSH", Claims.keys("held").queue(), "hello");

        assertUnknown(() -> holder.renew(LEASE.dividedBy(2), AMPLE)).hasMessageContaining("WRONGTYPE");
        assertThat((Long) server.command("PTTL", Claims.keys("held").lock())).isLessThanOrEqualTo(LEASE.toMillis() / 2);
    }

    @Test
    void aServerThatIsLoadingItsDataSaysSo() throws Exception {
        server.command("DEBUG", "POPULATE", "20000");
        server.command("CONFIG", "SET", "key-load-delay", "100");
        server.command("CONFIG", "SET", "loading-process-events-interval-bytes", "1024");
        BackgroundTask<String> reload = new BackgroundTask<>("reload", () -> refusal("DEBUG", "RELOAD"));
        await().until(() -> refusal("PING").startsWith("LOADING"));

        assertUnknown(() -> plain(backend, "free").tryAcquire(AMPLE)).hasMessageContaining("loading its data");
        assertUnknown(() -> holder.renew(LEASE, AMPLE)).hasMessageContaining("loading its data");

        server.command("CONFIG", "SET", "key-load-delay", "0");
        assertThat(reload.get(Duration.ofMinutes(1))).isEqualTo("OK");
        goesOn();
    }

    @Test
    void aServerThatIsBusyWithAScriptSaysSo() throws Exception {
        server.command("CONFIG", "SET", "busy-reply-threshold", "20");
        BackgroundTask<String> slow =
                new BackgroundTask<>("slow script", () -> refusal("EVAL", "while true do end", "0"));
        await().until(() -> refusal("PING").startsWith("BUSY"));

        assertUnknown(() -> plain(backend, "free").tryAcquire(AMPLE)).hasMessageContaining("SCRIPT KILL");
        assertUnknown(() -> holder.renew(LEASE, AMPLE)).hasMessageContaining("SCRIPT KILL");
        assertUnknown(() -> holder.release(AMPLE)).hasMessageContaining("SCRIPT KILL");

        server.command("SCRIPT", "KILL");
        assertThat(slow.get(Duration.ofMinutes(1))).contains("killed");
        goesOn();
    }

    @Test
    void aFullServerRefusesGrantsAndNothingElse() throws InterruptedException {
        Claim waiter = waiting(backend, "held", () -> {});
        refused(waiter);
        Claim second = waiting(backend, "held", () -> {});
        refused(second);
        Claim third = granted(plain(backend, "third"));
        Claim revoked = granted(plain(backend, "revoked"));
        Claim taken = granted(plain(backend, "taken"));
        server.command("CONFIG", "SET", "maxmemory", "1");

        Claim late = plain(backend, "free");
        assertRefused(() -> late.tryAcquire(AMPLE)).hasMessageContaining("memory is full");
        assertRefused(() -> waiting(backend, "held", () -> {}).tryAcquire(AMPLE))
                .hasMessageContaining("memory is full");
        assertThat(backend.revoke("revoked", "test", false, AMPLE)).isTrue();
        assertThat(backend.revoke("taken", "test", true, AMPLE)).isTrue();
        assertThat(revoked.renew(LEASE, AMPLE)).isFalse();
        assertThat(taken.renew(LEASE, AMPLE)).isFalse();
        assertThat(taken.loss().cause()).isEqualTo(LossCause.REVOKED);
        assertThat(holder.renew(LEASE, AMPLE)).isTrue();
        assertThat(second.release(AMPLE)).isFalse();
        assertThat(late.release(AMPLE)).isFalse();
        assertThat(holder.release(AMPLE)).isTrue();
        assertThat(third.release(AMPLE)).isTrue();
        // The lock was kept for it, so there is room for it.
        assertThat(granted(waiter).release(AMPLE)).isTrue();

        server.command("CONFIG", "SET", "maxmemory", "0");
        free(backend, "held");
        free(backend, "free");
    }

    /** Nothing was lost meanwhile, and nothing is left of what was refused. */
    private void goesOn() throws InterruptedException {
        assertThat(holder.renew(LEASE, AMPLE)).isTrue();
        assertThat((Long) server.command("PTTL", Claims.keys("held").lock())).isBetween(1L, LEASE.toMillis());
        refused(plain(backend, "held"));
        free(backend, "free");
        assertThat(holder.release(AMPLE)).isTrue();
        free(backend, "held");
    }

    private String refusal(String... words) {
        try {
            return String.valueOf(server.command(words));
        } catch (RedisErrorException refused) {
            return String.valueOf(refused.getMessage());
        }
    }
}
