// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static io.mortise.lock.redis.Claims.AMPLE;
import static io.mortise.lock.redis.Claims.LEASE;
import static io.mortise.lock.redis.Claims.granted;
import static io.mortise.lock.redis.Claims.keys;
import static io.mortise.lock.redis.Claims.plain;
import static io.mortise.lock.redis.Claims.refused;
import static io.mortise.lock.redis.Claims.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.LockHolder;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A renewal gives the key the lease that it is told, and a claim that was revoked tells whether it still holds. */
class RenewalTest extends RedisBackendTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofSeconds(5);

    private Claim held(String lock) throws InterruptedException {
        return granted(plain(backend, lock));
    }

    private Duration lives(String key) {
        return Duration.ofMillis(Long.parseLong(String.valueOf(server.command("PTTL", key))));
    }

    private Duration leaseLeft(String lock) {
        return lives(keys(lock).lock());
    }

    @Test
    void aRenewalSetsTheLeaseThatItIsToldLongerAndShorter() throws InterruptedException {
        Claim holder = held("lock");
        assertThat(holder.renew(LONG, AMPLE)).isTrue();
        assertThat(leaseLeft("lock")).isBetween(LONG.minus(AMPLE), LONG);

        assertThat(holder.renew(SHORT, AMPLE)).isTrue();
        assertThat(leaseLeft("lock")).isLessThanOrEqualTo(SHORT);
    }

    @Test
    void aBatchGivesEachClaimItsOwnLease() throws InterruptedException {
        Claim longer = held("longer");
        Claim shorter = held("shorter");
        assertThat(backend.renewAll(List.of(new Renewal(longer, LONG), new Renewal(shorter, SHORT)), AMPLE))
                .containsExactly(Answer.YES, Answer.YES);

        assertThat(leaseLeft("longer")).isBetween(LONG.minus(AMPLE), LONG);
        assertThat(leaseLeft("shorter")).isLessThanOrEqualTo(SHORT);
    }

    @Test
    void aLeaseOfPartsOfAMillisecondIsNotShorterThanAsked() throws InterruptedException {
        Claim holder = held("lock");
        assertThat(holder.renew(Duration.ofNanos(1), AMPLE)).isTrue();
        await().atMost(AMPLE).until(() -> backend.inspect("lock", AMPLE).isEmpty());
    }

    /** The waiter was told when the lease would have ended, and nothing else wakes it at the new end. */
    @Test
    void aLeaseThatIsMadeShorterNudgesTheFirstOfTheQueueAndTellsTheNewEnd() throws InterruptedException {
        AtomicInteger nudges = new AtomicInteger();
        Claim holder = held("lock");
        Claim first = waiting(backend, "lock", nudges::incrementAndGet);
        refused(first);
        assertThat(first.retryAfter().orElseThrow()).isGreaterThan(SHORT);
        int before = nudges.get();

        assertThat(holder.renew(SHORT, AMPLE)).isTrue();
        await().atMost(AMPLE).until(() -> nudges.get() > before);
        refused(first);
        assertThat(first.retryAfter().orElseThrow()).isLessThanOrEqualTo(SHORT);
    }

    @Test
    void aWaiterDoesNotGetALeaseThatWasMadeLongerBeforeItsEnd() throws InterruptedException {
        Claim holder = granted(backend.claim(Claims.request("lock", Duration.ofSeconds(1), false), () -> {}));
        Claim first = waiting(backend, "lock", () -> {});
        refused(first);
        assertThat(holder.renew(LONG, AMPLE)).isTrue();
        Claim control = granted(backend.claim(Claims.request("control", Duration.ofSeconds(1), false), () -> {}));
        await().atMost(AMPLE).until(() -> backend.inspect("control", AMPLE).isEmpty());

        refused(first);
        assertThat(holder.renew(LONG, AMPLE)).isTrue();
        assertThat(control.renew(LONG, AMPLE)).isFalse();
    }

    @Test
    void aClaimThatWasRevokedHoldsUntilItsLeaseEnds() throws InterruptedException {
        Claim victim = held("lock");
        assertThat(victim.renew(LONG, AMPLE)).isTrue();
        assertThat(backend.revoke("lock", "stuck since noon", false, AMPLE)).isTrue();

        assertThat(victim.renew(LEASE, AMPLE)).isFalse();
        assertThat(victim.holdsUntilLeaseEnds()).isTrue();
        assertThat(victim.loss().detail()).isEqualTo("stuck since noon");
        assertThat(leaseLeft("lock")).isGreaterThan(LEASE);
        refused(plain(backend, "lock"));
    }

    @Test
    void aClaimThatWasRevokedAtOnceDoesNotHoldAndLearnsWhyWithinALongerLease() throws InterruptedException {
        Claim victim = held("lock");
        assertThat(victim.renew(LONG, AMPLE)).isTrue();
        String owner =
                String.valueOf(server.command("GET", keys("lock").lock())).split(" ")[1];
        assertThat(backend.revoke("lock", "at once", true, AMPLE)).isTrue();
        assertThat(lives(keys("lock").ended(owner))).isGreaterThan(LONG.minus(AMPLE));

        assertThat(victim.renew(LEASE, AMPLE)).isFalse();
        assertThat(victim.holdsUntilLeaseEnds()).isFalse();
        assertThat(victim.loss().detail()).isEqualTo("at once");
        granted(plain(backend, "lock"));
    }

    @Test
    void aClaimOfABatchTellsWhetherItHoldsUntilItsLeaseEnds() throws InterruptedException {
        Claim revoked = held("revoked");
        Claim freed = held("freed");
        Claim deleted = held("deleted");
        assertThat(backend.revoke("revoked", "stuck", false, AMPLE)).isTrue();
        assertThat(backend.revoke("freed", "stuck", true, AMPLE)).isTrue();
        server.command("DEL", keys("deleted").lock());

        assertThat(backend.renewAll(Claims.renewals(revoked, freed, deleted), AMPLE))
                .containsExactly(Answer.NO, Answer.NO, Answer.NO);
        assertThat(revoked.holdsUntilLeaseEnds()).isTrue();
        assertThat(freed.holdsUntilLeaseEnds()).isFalse();
        assertThat(deleted.holdsUntilLeaseEnds()).isFalse();
    }

    @Test
    void whatIsHeldAsUsualIsRenewedByOneCall() throws InterruptedException {
        List<Renewal> renewals = Claims.renewals(held("a"), held("b"), held("c"));
        for (int round = 0; round < 2; round++) {
            assertThat(backend.renewAll(renewals, AMPLE)).containsOnly(Answer.YES);
            server.command("CONFIG", "RESETSTAT");
        }
        assertThat(backend.renewAll(renewals, AMPLE)).containsOnly(Answer.YES);
        assertThat(server.commandStats()).containsEntry("evalsha", 1L).containsEntry("pexpire", 3L);
    }

    /** One script renews what is held as usual, and another looks at the rest. */
    @Test
    void aBatchOfAllKindsGivesEachClaimItsOwnAnswer() throws InterruptedException {
        Claim usual = held("usual");
        Claim shorter = held("shorter");
        Claim revoked = held("revoked");
        Claim deleted = held("deleted");
        Claim foreign = held("foreign");
        Claim before = held("handed over");
        AtomicInteger nudges = new AtomicInteger();
        Claim handedOver = waiting(backend, "handed over", nudges::incrementAndGet);
        refused(handedOver);
        assertThat(before.release(AMPLE)).isTrue();
        await().atMost(AMPLE).until(() -> nudges.get() > 0);
        granted(handedOver);
        assertThat(backend.revoke("revoked", "stuck", false, AMPLE)).isTrue();
        server.command("DEL", keys("deleted").lock());
        server.command("SET", keys("foreign").lock(), "something else");

        for (int round = 0; round < 2; round++) {
            List<Renewal> renewals = List.of(
                    new Renewal(deleted, LEASE),
                    new Renewal(usual, LONG),
                    new Renewal(foreign, LEASE),
                    new Renewal(shorter, SHORT),
                    new Renewal(revoked, LEASE),
                    new Renewal(handedOver, LONG));
            assertThat(backend.renewAll(renewals, AMPLE))
                    .containsExactly(Answer.NO, Answer.YES, Answer.UNKNOWN, Answer.YES, Answer.NO, Answer.YES);
            assertThat(leaseLeft("usual")).isBetween(LONG.minus(AMPLE), LONG);
            assertThat(leaseLeft("handed over")).isBetween(LONG.minus(AMPLE), LONG);
            assertThat(leaseLeft("shorter")).isLessThanOrEqualTo(SHORT);
        }
    }

    @Test
    void aRevokedClaimWhoseLeaseHasEndedDoesNotHold() throws InterruptedException {
        Claim victim = held("lock");
        assertThat(backend.revoke("lock", "stuck", false, AMPLE)).isTrue();
        assertThat(victim.renew(LEASE, AMPLE)).isFalse();
        server.command("PEXPIRE", keys("lock").lock(), "0");
        assertThat(victim.renew(LEASE, AMPLE)).isFalse();
        assertThat(victim.holdsUntilLeaseEnds()).isFalse();

        held("lock");
        assertThat(victim.renew(LEASE, AMPLE)).isFalse();
        assertThat(victim.holdsUntilLeaseEnds()).isFalse();
    }

    @Test
    void theHolderHasHeldSinceTheGrantAndNotSinceTheRenewal() throws InterruptedException {
        Claim holder = held("lock");
        Duration enough = Duration.ofMillis(20);
        await().atMost(AMPLE).until(() -> heldFor("lock").compareTo(enough) > 0);
        Duration before = heldFor("lock");
        assertThat(holder.renew(SHORT, AMPLE)).isTrue();

        LockHolder told = backend.inspect("lock", AMPLE).orElseThrow();
        assertThat(told.heldFor()).isGreaterThanOrEqualTo(before);
        assertThat(told.remaining().orElseThrow()).isLessThanOrEqualTo(SHORT);
    }

    private Duration heldFor(String lock) {
        return backend.inspect(lock, AMPLE).orElseThrow().heldFor();
    }
}
