// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static io.mortise.lock.redis.Claims.AMPLE;
import static io.mortise.lock.redis.Claims.LEASE;
import static io.mortise.lock.redis.Claims.assertUnknown;
import static io.mortise.lock.redis.Claims.free;
import static io.mortise.lock.redis.Claims.granted;
import static io.mortise.lock.redis.Claims.plain;
import static io.mortise.lock.redis.Claims.refused;
import static io.mortise.lock.redis.Claims.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.redis.scripts.Script;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.tck.servers.proxy.DropRule;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** J1 to J5, on the wire: requests and replies that a network loses, with the connection or in silence. */
class LostRepliesTest extends BehindAProxy {
    private static final Duration SHORT = Duration.ofMillis(400);
    private static final Duration ENOUGH_FOR_TWO = Duration.ofSeconds(3);

    @BeforeEach
    void warm() throws InterruptedException {
        // The server knows the scripts from here on, so that a request names one by its digest.
        Claim warm = granted(plain(backend, "warm"));
        warm.renew(LEASE, AMPLE);
        warm.release(AMPLE);
    }

    @ParameterizedTest
    @EnumSource(DropRule.Then.class)
    void aGrantWhoseReplyIsLostIsFoundAgain(DropRule.Then then) throws InterruptedException {
        Claim claim = plain(backend, "lock");
        lose(DropRule.What.REPLY, Script.ACQUIRE, then);
        assertUnknown(() -> claim.tryAcquire(SHORT));
        network.heal();
        refused(plain(other, "lock"));

        granted(claim);
        assertThat(claim.release(AMPLE)).isTrue();
        free(other, "lock");
    }

    @ParameterizedTest
    @EnumSource(DropRule.Then.class)
    void aGrantWhoseReplyIsLostIsFreeOnceItIsGivenUp(DropRule.Then then) throws InterruptedException {
        Claim claim = plain(backend, "lock");
        lose(DropRule.What.REPLY, Script.ACQUIRE, then);
        assertUnknown(() -> claim.tryAcquire(SHORT));
        network.heal();

        assertThat(claim.release(AMPLE)).isTrue();
        free(other, "lock");
    }

    @ParameterizedTest
    @EnumSource(DropRule.Then.class)
    void whatIsLostOnceIsAskedAgainWithinTheCall(DropRule.Then then) throws InterruptedException {
        Claim claim = plain(backend, "lock");
        for (DropRule.What what : DropRule.What.values()) {
            network.dropNext(new DropRule(what, Script.ACQUIRE.digest(), then));
            assertThat(claim.tryAcquire(ENOUGH_FOR_TWO)).isTrue();
            network.dropNext(new DropRule(what, Script.PROLONG.digest(), then));
            assertThat(claim.renew(LEASE, ENOUGH_FOR_TWO)).isTrue();
        }
        assertThat(network.dropped()).isEqualTo(4);
        assertThat(claim.release(AMPLE)).isTrue();
        free(other, "lock");
    }

    /** The waiter has confirmed its grant, and does not know that it has the lock. */
    @ParameterizedTest
    @EnumSource(DropRule.Then.class)
    void aHandOverWhoseReplyIsLostIsFoundAgain(DropRule.Then then) throws InterruptedException {
        Claim waiter = told();
        loseTwice(new DropRule(DropRule.What.REPLY, "ZREM", then));
        assertUnknown(() -> waiter.tryAcquire(SHORT));
        network.heal();
        refused(plain(other, "lock"));

        granted(waiter);
        assertThat(waiter.release(AMPLE)).isTrue();
        free(other, "lock");
    }

    @ParameterizedTest
    @EnumSource(DropRule.Then.class)
    void aHandOverWhoseReplyIsLostIsFreeOnceItIsGivenUp(DropRule.Then then) throws InterruptedException {
        Claim waiter = told();
        loseTwice(new DropRule(DropRule.What.REPLY, "ZREM", then));
        assertUnknown(() -> waiter.tryAcquire(SHORT));

        assertThat(waiter.release(AMPLE)).isTrue();
        free(other, "lock");
    }

    @ParameterizedTest
    @EnumSource(DropRule.Then.class)
    void aHandOverWhoseConfirmationIsLostIsConfirmedByTheNextTry(DropRule.Then then) throws InterruptedException {
        Claim waiter = told();
        loseTwice(new DropRule(DropRule.What.REQUEST, "ZREM", then));
        assertUnknown(() -> waiter.tryAcquire(SHORT));

        granted(waiter);
        assertThat(waiter.release(AMPLE)).isTrue();
        free(other, "lock");
    }

    /** A waiter that a release has granted the lock, and that knows it. */
    private Claim told() throws InterruptedException {
        Claim holder = granted(plain(other, "lock"));
        AtomicInteger messages = new AtomicInteger();
        Claim waiter = waiting(backend, "lock", messages::incrementAndGet);
        refused(waiter);
        int before = messages.get();
        assertThat(holder.release(AMPLE)).isTrue();
        await().atMost(Duration.ofSeconds(20)).until(() -> messages.get() > before);
        return waiter;
    }

    @ParameterizedTest
    @EnumSource(DropRule.Then.class)
    void aReleaseWhoseReplyIsLostMayBeRepeated(DropRule.Then then) throws InterruptedException {
        Claim claim = granted(plain(backend, "lock"));
        lose(DropRule.What.REPLY, Script.RELEASE, then);
        assertUnknown(() -> claim.release(SHORT));
        network.heal();

        Claim next = granted(plain(other, "lock"));
        assertThat(claim.release(AMPLE)).isFalse();
        assertThat(next.renew(LEASE, AMPLE)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(DropRule.Then.class)
    void aRenewalWhoseReplyIsLostMayBeRepeated(DropRule.Then then) throws InterruptedException {
        Claim claim = granted(plain(backend, "lock"));
        for (DropRule.What what : DropRule.What.values()) {
            lose(what, Script.PROLONG, then);
            assertUnknown(() -> claim.renew(LEASE, SHORT));
            network.heal();
            assertThat(claim.renew(LEASE, AMPLE)).isTrue();
        }
        assertThat(claim.release(AMPLE)).isTrue();
    }

    /** The lost request is sent once more, as TCP might deliver it, when its claim has been released. */
    @ParameterizedTest
    @EnumSource(DropRule.Then.class)
    void aTryThatArrivesAfterItsReleaseIsRefused(DropRule.Then then) throws InterruptedException {
        ClaimRequest request = Claims.request("lock", Claims.LEASE, false);
        Claim claim = backend.claim(request, () -> {});
        lose(DropRule.What.REQUEST, Script.ACQUIRE, then);
        assertUnknown(() -> claim.tryAcquire(SHORT));
        network.heal();
        assertThat(claim.release(AMPLE)).isFalse();

        refused(other.claim(request, () -> {}));
        free(other, "lock");
    }

    /** A try and a renewal ask again over another connection within the call, so this loses the second request, too. */
    private void lose(DropRule.What what, Script script, DropRule.Then then) {
        DropRule rule = new DropRule(what, script.digest(), then);
        if (script == Script.RELEASE) {
            network.dropNext(rule);
        } else {
            loseTwice(rule);
        }
    }

    /** Also when it is asked again within the call. */
    private void loseTwice(DropRule rule) {
        network.dropNext(rule);
        network.dropNext(rule);
    }
}
