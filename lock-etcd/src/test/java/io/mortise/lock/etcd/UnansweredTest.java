// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd;

import static io.mortise.lock.etcd.Claims.AMPLE;
import static io.mortise.lock.etcd.Claims.LEASE;
import static io.mortise.lock.etcd.Claims.claim;
import static io.mortise.lock.etcd.Claims.holding;
import static io.mortise.lock.etcd.Claims.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.servers.EtcdServer;
import io.mortise.lock.tck.servers.proxy.DropRule;
import io.mortise.lock.tck.servers.proxy.TcpProxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Transactions whose requests or answers are lost: what is so afterwards, and what can still come. */
class UnansweredTest {
    private static final Duration LONG = Duration.ofSeconds(250);

    private EtcdServer server;
    private TcpProxy proxy;
    private LockBackend backend;
    private LockBackend other;

    @BeforeEach
    void start() {
        server = EtcdServer.start();
        proxy = TcpProxy.to(server.host(), server.port());
        backend = Keys.open("etcd://" + proxy.host() + ":" + proxy.port());
        other = Keys.open(server.url());
    }

    @AfterEach
    void stop() {
        backend.close();
        other.close();
        proxy.close();
        server.close();
    }

    /** A put of an entry, by the beginning of its value. */
    private static String put(String entry) {
        String code = Base64.getEncoder().encodeToString(entry.getBytes(StandardCharsets.US_ASCII));
        // What is encoded with the next characters differs.
        return code.substring(0, entry.length() / 3 * 4);
    }

    @Test
    void aTryWhoseAnswerIsLostIsFound() throws Exception {
        Claim claim = claim(backend, "l", 'a');
        proxy.dropNext(new DropRule(DropRule.What.REPLY, put("g 1"), DropRule.Then.CLOSE));
        assertThatThrownBy(() -> claim.tryAcquire(AMPLE)).isInstanceOf(BackendException.class);
        assertThat(claim(other, "l", 'b').tryAcquire(AMPLE))
                .as("it was granted")
                .isFalse();
        assertThat(claim.tryAcquire(AMPLE)).isTrue();
        assertThat(claim.fencingToken()).isPositive();
        assertThat(claim.release(AMPLE)).isTrue();
    }

    @Test
    void aTryWhoseAnswerIsLostLeavesNothing() throws Exception {
        Claim claim = claim(backend, "l", 'a');
        proxy.dropNext(new DropRule(DropRule.What.REPLY, put("g 1"), DropRule.Then.CLOSE));
        assertThatThrownBy(() -> claim.tryAcquire(AMPLE)).isInstanceOf(BackendException.class);
        claim.release(AMPLE);
        assertThat(other.inspect("l", AMPLE)).isEmpty();
        assertThat(claim(other, "l", 'b').tryAcquire(AMPLE)).isTrue();
    }

    @Test
    void aTryThatIsLostIsMadeAgain() throws Exception {
        Claim claim = claim(backend, "l", 'a');
        proxy.dropNext(new DropRule(DropRule.What.REQUEST, put("g 1"), DropRule.Then.CLOSE));
        assertThatThrownBy(() -> claim.tryAcquire(AMPLE)).isInstanceOf(BackendException.class);
        assertThat(claim.tryAcquire(AMPLE)).isTrue();
        assertThat(claim.release(AMPLE)).isTrue();
    }

    /** It is done already: the next renewal must not rely on the lease that the key had. */
    @Test
    void aRenewalToAnotherLengthWhoseAnswerIsLostIsRepeated() throws Exception {
        Claim claim = holding(backend, "l", 'a');
        proxy.dropNext(new DropRule(DropRule.What.REPLY, put("g 1"), DropRule.Then.CLOSE));
        assertThatThrownBy(() -> claim.renew(LONG, AMPLE)).isInstanceOf(BackendException.class);
        assertThat(claim.renew(LEASE, AMPLE)).isTrue();
        assertThat(remaining()).isLessThanOrEqualTo(LEASE);
        assertThat(claim.renew(LONG, AMPLE)).isTrue();
        assertThat(remaining()).isGreaterThan(LEASE);
        assertThat(claim.release(AMPLE)).isTrue();
    }

    private Duration remaining() {
        return other.inspect("l", AMPLE).orElseThrow().remaining().orElseThrow();
    }

    /** It is known by now whether it was done, but not who did it. */
    @Test
    void aReleaseWhoseAnswerIsLostIsHarmlessWhenRepeated() throws Exception {
        Claim claim = holding(backend, "l", 'a');
        proxy.dropNext(new DropRule(DropRule.What.REPLY, "request_delete_range", DropRule.Then.CLOSE));
        assertThatThrownBy(() -> claim.release(AMPLE)).isInstanceOf(BackendException.class);
        Claim next = holding(other, "l", 'b');
        claim.release(AMPLE);
        assertThat(next.renew(LEASE, AMPLE)).isTrue();
    }

    /** One that died does not; one that lives goes to the end of the queue, and is not lost. */
    @Test
    void whoDoesNotTakeTheLockIsOvertaken() throws Exception {
        Claim holder = holding(other, "l", 'a');
        Claim slow = waiting(other, "l", 'b');
        Claim next = waiting(backend, "l", 'c');
        assertThat(holder.release(AMPLE)).isTrue();

        assertThat(next.tryAcquire(AMPLE)).as("it is given some time").isFalse();
        assertThat(next.retryAfter().orElseThrow()).isLessThan(Duration.ofSeconds(1));
        await().atMost(AMPLE).until(() -> next.tryAcquire(AMPLE));
        assertThat(slow.tryAcquire(AMPLE)).isFalse();
        assertThat(next.release(AMPLE)).isTrue();
        assertThat(slow.tryAcquire(AMPLE)).isTrue();
    }

    /** Somebody looked twice, and nobody held the lock: but it was free for another one each time. */
    @Test
    void whoHasJustBecomeTheFirstIsNotOvertaken() throws Exception {
        Claim holder = holding(other, "l", 'a');
        Claim quick = waiting(other, "l", 'b');
        Claim next = waiting(other, "l", 'c');
        Claim last = waiting(backend, "l", 'd');
        assertThat(holder.release(AMPLE)).isTrue();
        assertThat(last.tryAcquire(AMPLE)).isFalse();
        assertThat(quick.tryAcquire(AMPLE)).isTrue();
        assertThat(quick.release(AMPLE)).isTrue();
        await().atMost(AMPLE).until(() -> last.retryAfter().orElseThrow().isZero());

        assertThat(last.tryAcquire(AMPLE)).isFalse();
        assertThat(next.tryAcquire(AMPLE)).isTrue();
    }
}
