// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static io.mortise.lock.jdbc.Client.ENOUGH;
import static io.mortise.lock.jdbc.Client.LEASE;
import static io.mortise.lock.jdbc.Client.tryAcquire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.LockHolder;
import io.mortise.lock.LossCause;
import io.mortise.lock.jdbc.table.Sweeper;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the rows must show, on every database. */
abstract class JdbcContract {
    Client one;
    Client two;
    Rows rows;

    abstract String url();

    @BeforeEach
    void open() {
        String url = url();
        one = Client.open(url);
        two = Client.open(url);
        rows = new Rows(url);
    }

    @AfterEach
    void close() {
        rows.close();
        one.close();
        two.close();
    }

    @Test
    void excludesAnotherClientAndTellsItWhenToLookAgain() {
        Claim held = one.held("a");
        Claim other = two.claim("a");
        assertThat(tryAcquire(other)).isFalse();
        assertThat(other.retryAfter().orElseThrow()).isBetween(LEASE.minusSeconds(5), LEASE.plusMillis(1));
        assertThat(tryAcquire(other)).as("having looked first").isFalse();
        assertThat(other.retryAfter()).isPresent();
        assertThat(held.release(ENOUGH)).isTrue();
        assertThat(held.release(ENOUGH)).isFalse();
        assertThat(tryAcquire(other)).isTrue();
        assertThat(other.fencingToken()).isGreaterThan(held.fencingToken());
    }

    @Test
    void aLockThatAnotherClientTookAfterTheReleaseIsRefused() {
        one.held("a").release(ENOUGH);
        Claim held = two.held("a");
        assertThat(tryAcquire(one.claim("a"))).isFalse();
        assertThat(held.release(ENOUGH)).isTrue();
        Claim again = one.held("a");
        assertThat(again.fencingToken()).isGreaterThan(held.fencingToken());
    }

    /** The first grant makes the row, and the others take a row that nobody else has wanted. */
    @Test
    void eachGrantAndReleaseFillsTheWholeRow() {
        String row = " from mortise_locks where lock_key = 'a' and ";
        long version = 0;
        for (int round = 0; round < 3; round++) {
            Claim claim = one.claim("a", LEASE, 0, 10);
            assertThat(tryAcquire(claim)).isTrue();
            assertThat(rows.number("select version - " + version + row + "label = 'a%0020test' and revoked is null"
                            + " and fence = " + claim.fencingToken() + " and counter = fence + 9"
                            + " and expires_us = acquired_us + lease_us and fence >= acquired_us"))
                    .as("version of grant %d", round)
                    .isEqualTo(1);
            assertThat(rows.number("select lease_us" + row + "owner is not null"))
                    .isBetween(LEASE.toNanos() / 1_000, LEASE.plusMillis(2).toNanos() / 1_000);
            assertThat(one.backend.revoke("a", "for a test", false, ENOUGH)).isTrue();
            long before = rows.number("select version" + row + "owner is not null");
            assertThat(claim.release(ENOUGH)).isTrue();
            version = rows.number("select version" + row + "owner is null and released is not null"
                    + " and left_us between 1 and lease_us and expires_us < acquired_us + lease_us");
            assertThat(version).isEqualTo(before + 1);
        }
    }

    @Test
    void aTryThatArrivesAfterItsReleaseIsRefused() {
        String owner = Client.owner();
        for (int round = 0; round < 2; round++) {
            one.held("a").release(ENOUGH);
            rows.execute("update mortise_locks set released = '" + owner + "' where lock_key = 'a'");
            Claim late = one.backend.claim(new ClaimRequest("a", owner, "", LEASE, false, 0, 1), () -> {});
            assertThat(tryAcquire(late)).isFalse();
        }
    }

    @Test
    void repeatedTryKeepsTheTokenAndFillsTheLease() {
        Claim claim = one.held("a");
        long fence = claim.fencingToken();
        rows.execute("update mortise_locks set expires_us = expires_us - 20000000");
        assertThat(tryAcquire(claim)).isTrue();
        assertThat(claim.fencingToken()).isEqualTo(fence);
        assertThat(one.backend.inspect("a", ENOUGH).orElseThrow().remaining().orElseThrow())
                .isGreaterThan(LEASE.minusSeconds(5));
    }

    @Test
    void storedLeaseIsNeverShorterThanAsked() {
        Claim claim = one.claim("a", Duration.ofNanos(1_000_000_001), 0, 1);
        assertThat(tryAcquire(claim)).isTrue();
        assertThat(rows.number("select expires_us - acquired_us from mortise_locks where lock_key = 'a'"))
                .isBetween(1_000_002L, 1_002_000L);
    }

    @Test
    void tokensRiseAboveFloorsBlocksAndRaises() {
        Claim block = one.claim("a", LEASE, 0, 10);
        assertThat(tryAcquire(block)).isTrue();
        long first = block.fencingToken();
        assertThat(tryAcquire(block)).isTrue();
        assertThat(block.fencingToken()).isEqualTo(first);
        block.release(ENOUGH);

        Claim next = one.held("a");
        assertThat(next.fencingToken()).isGreaterThanOrEqualTo(first + 10);
        long high = next.fencingToken() + 1_000_000_000L;
        assertThat(next.raiseToken(high, ENOUGH)).isTrue();
        assertThat(next.raiseToken(5, ENOUGH))
                .as("the counter is higher already")
                .isTrue();
        next.release(ENOUGH);
        assertThat(next.raiseToken(high + 5, ENOUGH))
                .as("not the holder's any more")
                .isFalse();

        Claim afterRaise = one.held("a");
        assertThat(afterRaise.fencingToken()).isEqualTo(high + 1);
        afterRaise.release(ENOUGH);

        Claim floor = one.claim("a", LEASE, high + 100, 5);
        assertThat(tryAcquire(floor)).isTrue();
        assertThat(floor.fencingToken()).isEqualTo(high + 101);
        floor.release(ENOUGH);
        Claim afterBlock = one.held("a");
        assertThat(afterBlock.fencingToken()).isEqualTo(high + 106);
        afterBlock.release(ENOUGH);
        Claim fresh = one.claim("new", LEASE, high + 200, 3);
        assertThat(tryAcquire(fresh)).isTrue();
        assertThat(fresh.fencingToken()).isEqualTo(high + 201);
        assertThat(rows.number("select counter from mortise_locks where lock_key = 'new'"))
                .isEqualTo(high + 203);
    }

    @Test
    void anEndedLeaseIsNotRenewedThoughNobodyTookIt() {
        Claim claim = one.held("a");
        assertThat(claim.renew(LEASE, ENOUGH)).isTrue();
        rows.expireAll();
        assertThat(claim.renew(LEASE, ENOUGH)).isFalse();
        assertThat(claim.loss().cause()).isEqualTo(LossCause.EXPIRED);
        assertThat(claim.release(ENOUGH)).isFalse();
    }

    @Test
    void aStaleClaimCannotRenewReleaseOrRaise() {
        Claim stale = one.held("a");
        rows.expireAll();
        Claim holder = two.held("a");
        assertThat(stale.renew(LEASE, ENOUGH)).isFalse();
        assertThat(stale.loss().cause()).isEqualTo(LossCause.TAKEN_OVER);
        assertThat(stale.release(ENOUGH)).isFalse();
        assertThat(stale.raiseToken(1L << 52, ENOUGH)).isFalse();
        assertThat(holder.renew(LEASE, ENOUGH)).isTrue();
        assertThat(holder.fencingToken()).isGreaterThan(stale.fencingToken());
        assertThat(holder.release(ENOUGH)).isTrue();
    }

    @Test
    void aRenewalSetsTheLengthThatItIsToldLongerOrShorter() {
        Claim claim = one.held("a");
        for (Duration length :
                List.of(Duration.ofHours(1), Duration.ofNanos(120_000_000_001L), Duration.ofMinutes(3))) {
            assertThat(claim.renew(length, ENOUGH)).isTrue();
            assertThat(remaining("a")).isBetween(length.minusMinutes(1), length.plusMillis(2));
            assertThat(rows.number("select lease_us from mortise_locks where lock_key = 'a'"))
                    .as("never shorter than told")
                    .isBetween(micros(length) + 1, micros(length) + 1_001);
        }
    }

    @Test
    void aBatchSetsALengthOfItsOwnForEachClaim() {
        List<Renewal> renewals = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            renewals.add(new Renewal(one.held("n" + i), LEASE.multipliedBy(i % 2 == 0 ? 2 + i : 1_000 - i)));
        }
        rows.execute("update mortise_locks set revoked = 'fails a batch' where lock_key = 'n7'");
        List<Answer> answers = one.backend.renewAll(renewals, ENOUGH);
        for (int i = 0; i < renewals.size(); i++) {
            assertThat(answers.get(i)).as("claim " + i).isEqualTo(i == 7 ? Answer.NO : Answer.YES);
            Duration length = i == 7 ? LEASE : renewals.get(i).lease();
            assertThat(remaining("n" + i)).as("claim " + i).isBetween(length.minusMinutes(1), length.plusMillis(2));
        }
    }

    private Duration remaining(String lock) {
        return two.backend.inspect(lock, ENOUGH).orElseThrow().remaining().orElseThrow();
    }

    private static long micros(Duration length) {
        return length.toNanos() / 1_000;
    }

    @Test
    void theTimeHeldCountsFromTheGrantWhateverIsRenewed() {
        Claim claim = one.held("a");
        rows.execute("update mortise_locks set acquired_us = acquired_us - 60000000 where lock_key = 'a'");
        assertThat(claim.renew(LEASE, ENOUGH)).isTrue();
        assertThat(one.backend.renewAll(Client.renewals(List.of(claim), LEASE.multipliedBy(2)), ENOUGH))
                .containsExactly(Answer.YES);
        assertThat(tryAcquire(claim)).as("having been granted it already").isTrue();
        assertThat(two.backend.inspect("a", ENOUGH).orElseThrow().heldFor())
                .isBetween(Duration.ofMinutes(1), Duration.ofMinutes(2));
    }

    @Test
    void whoIsRevokedHoldsUntilTheLeaseEndsUnlessItIsRevokedAtOnce() {
        Claim victim = one.held("a");
        List<Renewal> renewal = Client.renewals(List.of(victim), LEASE);
        assertThat(two.backend.revoke("a", "soon", false, ENOUGH)).isTrue();
        assertThat(victim.renew(LEASE, ENOUGH)).isFalse();
        assertThat(victim.holdsUntilLeaseEnds()).as("alone").isTrue();
        assertThat(one.backend.renewAll(renewal, ENOUGH)).containsExactly(Answer.NO);
        assertThat(victim.holdsUntilLeaseEnds()).as("in a batch").isTrue();
        assertThat(victim.raiseToken(victim.fencingToken(), ENOUGH)).isTrue();
        assertThat(two.backend.revoke("a", "now", true, ENOUGH)).isTrue();
        assertThat(victim.renew(LEASE, ENOUGH)).isFalse();
        assertThat(victim.holdsUntilLeaseEnds()).as("revoked at once").isFalse();
    }

    @Test
    void whoIsRevokedHoldsNoMoreAfterTheEndATakeOverOrADeletion() {
        Claim ended = one.held("a");
        Claim taken = one.held("b");
        Claim deleted = one.held("c");
        for (String lock : List.of("a", "b", "c")) {
            assertThat(two.backend.revoke(lock, "soon", false, ENOUGH)).isTrue();
        }
        List<Claim> victims = List.of(ended, taken, deleted);
        victims.forEach(victim -> assertThat(victim.renew(LEASE, ENOUGH)).isFalse());
        assertThat(victims).allMatch(Claim::holdsUntilLeaseEnds);
        rows.expireAll();
        two.held("b");
        rows.execute("delete from mortise_locks where lock_key = 'c'");
        victims.forEach(victim -> assertThat(victim.renew(LEASE, ENOUGH)).isFalse());
        assertThat(victims).noneMatch(Claim::holdsUntilLeaseEnds);
    }

    @Test
    void aDeletedRowIsALossWithItsCause() {
        Claim claim = one.held("a");
        rows.execute("delete from mortise_locks where lock_key = 'a'");
        assertThat(claim.renew(LEASE, ENOUGH)).isFalse();
        assertThat(claim.loss().cause()).isEqualTo(LossCause.EVICTED_OR_DELETED);
    }

    @Test
    void revokedLocksAreNotRenewedAndFreeWhenTheLeaseEnds() {
        Claim victim = one.held("a");
        assertThat(two.backend.revoke("a", "Déjà vu", false, ENOUGH)).isTrue();
        assertThat(two.backend.revoke("b", "nobody", false, ENOUGH)).isFalse();
        assertThat(victim.renew(LEASE, ENOUGH)).isFalse();
        assertThat(victim.loss().cause()).isEqualTo(LossCause.REVOKED);
        assertThat(victim.loss().detail()).isEqualTo("Déjà vu");
        assertThat(tryAcquire(victim)).as("a try does not renew either").isFalse();
        assertThat(two.backend.inspect("a", ENOUGH).orElseThrow().revocationReason())
                .contains("Déjà vu");
        assertThat(tryAcquire(two.claim("a"))).isFalse();
        rows.expireAll();
        assertThat(two.held("a").fencingToken()).isGreaterThan(victim.fencingToken());
        assertThat(two.backend.inspect("a", ENOUGH).orElseThrow().revocationReason())
                .isEmpty();
    }

    @Test
    void revokingNowFreesAtOnce() {
        Claim victim = one.held("a");
        assertThat(two.backend.revoke("a", "enough", true, ENOUGH)).isTrue();
        assertThat(two.backend.inspect("a", ENOUGH)).isEmpty();
        assertThat(victim.renew(LEASE, ENOUGH)).isFalse();
        assertThat(victim.loss().cause()).isEqualTo(LossCause.REVOKED);
        assertThat(two.held("a").fencingToken()).isGreaterThan(victim.fencingToken());
        assertThat(victim.release(ENOUGH)).isFalse();
    }

    @Test
    void renewsManyAndAnswersForEach() {
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            claims.add(one.held("n" + i));
        }
        rows.execute("delete from mortise_locks where lock_key = 'n7'");
        rows.execute("update mortise_locks set expires_us = acquired_us where lock_key = 'n300'");
        claims.get(599).release(ENOUGH);
        List<Answer> answers = one.backend.renewAll(Client.renewals(claims, Client.LEASE), ENOUGH);
        for (int i = 0; i < claims.size(); i++) {
            boolean lost = i == 7 || i == 300 || i == 599;
            assertThat(answers.get(i)).as("claim " + i).isEqualTo(lost ? Answer.NO : Answer.YES);
        }
        assertThat(claims.get(300).loss().cause()).isEqualTo(LossCause.EXPIRED);
    }

    @Test
    void anyNameIsLockedByItselfAndListed() {
        String longName = "x".repeat(10_000);
        List<String> names = List.of(
                "",
                " ",
                "a",
                "A",
                "a ",
                "\0",
                "\ud800",
                "\udc00",
                "'; drop table mortise_locks; --",
                ":key",
                "%",
                "*",
                "?",
                "é",
                "e\u0301",
                longName + 1,
                longName + 2,
                "a/b",
                "a/b/c",
                "日本");
        names.forEach(one::held);
        for (String name : names) {
            assertThat(tryAcquire(two.claim(name))).as(name).isFalse();
            assertThat(two.backend.inspect(name, ENOUGH).orElseThrow().lock()).isEqualTo(name);
        }
        List<String> listed = new ArrayList<>();
        String after = "";
        while (true) {
            List<LockHolder> page = two.backend.list("", after, 3, ENOUGH);
            page.forEach(holder -> listed.add(holder.lock()));
            if (page.size() < 3) {
                break;
            }
            after = listed.get(listed.size() - 1);
        }
        assertThat(listed).containsExactlyInAnyOrderElementsOf(names);
        assertThat(lockNames(two.backend.list("a/", "", 10, ENOUGH))).containsExactly("a/b", "a/b/c");
        assertThat(lockNames(two.backend.list(longName, "", 10, ENOUGH)))
                .containsExactlyInAnyOrder(longName + 1, longName + 2);
        assertThat(lockNames(two.backend.list(longName + "2", "", 1, ENOUGH))).containsExactly(longName + 2);
        assertThat(two.backend.list("_", "", 10, ENOUGH)).isEmpty();
    }

    private static List<String> lockNames(List<LockHolder> holders) {
        return holders.stream().map(LockHolder::lock).toList();
    }

    @Test
    void oneOfManyFirstTriesIsGrantedAndTheOthersAreRefused() throws Exception {
        List<Client> clients = List.of(one, two, Client.open(url()), Client.open(url()));
        ExecutorService threads = Executors.newFixedThreadPool(clients.size());
        CyclicBarrier start = new CyclicBarrier(clients.size());
        try {
            for (int round = 0; round < 200; round++) {
                String name = "race" + round / 2;
                List<Callable<Claim>> tries = new ArrayList<>();
                for (Client client : clients) {
                    tries.add(() -> {
                        Claim claim = client.claim(name);
                        start.await();
                        return tryAcquire(claim) ? claim : client.claim("");
                    });
                }
                List<Claim> granted = new ArrayList<>();
                for (Future<Claim> answer : threads.invokeAll(tries)) {
                    if (answer.get().fencingToken() > 0) {
                        granted.add(answer.get());
                    }
                }
                assertThat(granted).as(name).hasSize(1);
                assertThat(granted.get(0).release(ENOUGH)).isTrue();
            }
        } finally {
            threads.shutdown();
            clients.get(2).close();
            clients.get(3).close();
        }
    }

    @Test
    void aTryThatComesAfterTheReleaseIsRefused() {
        Claim claim = one.held("a");
        claim.release(ENOUGH);
        assertThat(tryAcquire(claim)).isFalse();
        assertThat(tryAcquire(two.claim("a"))).isTrue();
    }

    @Test
    void namesUsedOnceLeaveNoRows() {
        int names = 4_000;
        long highest = 0;
        for (int i = 0; i < names; i++) {
            Claim claim = one.held("once/" + i);
            highest = Math.max(highest, claim.fencingToken());
            claim.release(ENOUGH);
            if (i % 1_000 == 999) {
                rows.age(10_000_000);
                assertThat(rows.names()).isLessThan(2_500);
            }
        }
        rows.age(10_000_000);
        for (int i = 0; i < 20 * Sweeper.RELEASES_PER_STEP; i++) {
            one.claim("again").release(ENOUGH);
        }
        await().atMost(ENOUGH).until(() -> rows.names() < 50);
    }

    @Test
    void aRestingClientSweepsWhatItLeft() {
        for (int i = 0; i < 1_000; i++) {
            one.held("rest/" + i).release(ENOUGH);
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> rows.names() == 0);
    }

    @Test
    void tokensRiseOverASweepThoughTheClockGoesBack() {
        Claim before = one.held("a");
        before.release(ENOUGH);
        rows.execute("update mortise_locks set counter = counter - 10000000, expires_us = 0");
        sweep();
        assertThat(rows.names()).isZero();
        // A clock that was set back looks like a table whose tokens are ahead.
        long ahead = before.fencingToken() + 60_000_000L;
        rows.execute("update mortise_locks set counter = " + ahead + " where lock_key = '~'");
        assertThat(one.held("a").fencingToken()).isEqualTo(ahead + 1);
    }

    @Test
    void rowsWhoseTokensAreAheadOfTheClockStay() {
        Claim ahead = one.claim("a", LEASE, 1L << 52, 1);
        assertThat(tryAcquire(ahead)).isTrue();
        ahead.release(ENOUGH);
        rows.execute("update mortise_locks set expires_us = 0");
        sweep();
        assertThat(rows.names()).isEqualTo(1);
        assertThat(one.held("a").fencingToken()).isGreaterThan(ahead.fencingToken());
    }

    private void sweep() {
        try (Client visitor = Client.open(url())) {
            visitor.claim("nothing").release(ENOUGH);
        }
    }

    @Test
    void aClosedBackendSaysSo() {
        Claim claim = two.held("a");
        two.close();
        two.close();
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> claim.renew(LEASE, ENOUGH)))
                .isInstanceOf(io.mortise.lock.spi.BackendException.class)
                .hasMessageContaining("closed");
        assertThat(one.backend.inspect("a", ENOUGH))
                .as("closing frees no locks")
                .isPresent();
    }
}
