// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static io.mortise.lock.jdbc.Client.ENOUGH;
import static io.mortise.lock.jdbc.Client.tryAcquire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LossCause;
import io.mortise.lock.jdbc.table.Sweeper;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Leases that end by no clock of the database, on each of them. */
class ClockFreeTest {
    private static final Duration LEASE = Duration.ofMillis(400);

    @TempDir
    static Path folder;

    @RegisterExtension
    static final TestDatabase POSTGRES = TestDatabase.postgres();

    @RegisterExtension
    static final TestDatabase MARIA_DB = TestDatabase.mariaDb();

    /** A URL of a new table on each database; what is added to it follows. */
    static List<String> urls() {
        String table = "mortise.table=t" + UUID.randomUUID().toString().substring(0, 8);
        return List.of(
                "jdbc:sqlite:" + folder.resolve("locks.db") + "?" + table,
                "jdbc:h2:mem:" + UUID.randomUUID() + ";" + table,
                POSTGRES.url() + "&" + table,
                MARIA_DB.url() + "&" + table);
    }

    private static String separator(String url) {
        return url.startsWith("jdbc:h2:") ? ";" : "&";
    }

    private static String free(String url) {
        return url + separator(url) + "mortise.clockFree=true";
    }

    private static String table(String url) {
        return url.substring(url.indexOf("mortise.table=") + "mortise.table=".length());
    }

    private static Claim brief(Client client, String lock) {
        return client.claim(lock, LEASE, 0, 1);
    }

    private static Claim held(Client client, String lock) {
        Claim claim = brief(client, lock);
        assertThat(tryAcquire(claim)).isTrue();
        return claim;
    }

    private static void rows(String url, Consumer<Rows> work) {
        String separators = url.substring(0, url.indexOf("mortise.table=") - 1);
        try (Rows rows = new Rows(separators)) {
            work.accept(rows);
        }
    }

    @ParameterizedTest
    @MethodSource("urls")
    void aWaiterTakesOverOnlyAfterWatchingAWholeLease(String url) {
        try (Client one = Client.open(free(url));
                Client two = Client.open(free(url))) {
            Claim gone = held(one, "a");
            Claim next = brief(two, "a");
            long start = System.nanoTime();
            assertThat(tryAcquire(next)).isFalse();
            assertThat(next.retryAfter().orElseThrow()).isBetween(LEASE.dividedBy(2), LEASE.plusMillis(50));
            await().pollInterval(Duration.ofMillis(5)).atMost(ENOUGH).until(() -> tryAcquire(next));
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(LEASE);
            assertThat(next.fencingToken()).isGreaterThan(gone.fencingToken());
            assertThat(gone.renew(LEASE, ENOUGH)).isFalse();
            assertThat(gone.loss().cause()).isEqualTo(LossCause.TAKEN_OVER);
            assertThat(next.renew(LEASE, ENOUGH)).isTrue();
            assertThat(next.release(ENOUGH)).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("urls")
    void aWaiterWatchesForAsLongAsTheHolderRenewedFor(String url) {
        Duration longer = LEASE.multipliedBy(4);
        try (Client one = Client.open(free(url));
                Client two = Client.open(free(url))) {
            Claim holder = held(one, "a");
            Claim next = brief(two, "a");
            assertThat(tryAcquire(next)).isFalse();
            long renewed = System.nanoTime();
            assertThat(holder.renew(longer, ENOUGH)).isTrue();
            assertThat(tryAcquire(next)).isFalse();
            await().pollInterval(Duration.ofMillis(5)).atMost(ENOUGH).until(() -> tryAcquire(next));
            assertThat(Duration.ofNanos(System.nanoTime() - renewed)).isGreaterThan(longer);

            assertThat(next.renew(Duration.ofHours(1), ENOUGH)).isTrue();
            Claim last = brief(one, "a");
            assertThat(tryAcquire(last)).isFalse();
            assertThat(one.backend.inspect("a", ENOUGH).orElseThrow().remaining())
                    .as("nobody else can tell")
                    .isEmpty();
            assertThat(two.backend.renewAll(Client.renewals(List.of(next), LEASE), ENOUGH))
                    .containsExactly(Answer.YES);
            await("a lease that was made shorter")
                    .pollInterval(Duration.ofMillis(5))
                    .atMost(ENOUGH)
                    .until(() -> tryAcquire(last));
        }
    }

    @ParameterizedTest
    @MethodSource("urls")
    void triesWithoutWaitingFindEndedLeases(String url) {
        try (Client one = Client.open(free(url));
                Client two = Client.open(free(url))) {
            held(one, "a");
            await().pollInterval(Duration.ofMillis(20)).atMost(ENOUGH).until(() -> tryAcquire(brief(two, "a")));
        }
    }

    @ParameterizedTest
    @MethodSource("urls")
    void aHolderThatRenewsKeepsTheLockWhateverTheClockSays(String url) {
        try (Client one = Client.open(free(url));
                Client two = Client.open(free(url))) {
            Claim holder = held(one, "a");
            Claim other = brief(two, "a");
            long end = System.nanoTime() + LEASE.multipliedBy(3).toNanos();
            long years = 0;
            while (System.nanoTime() < end) {
                long clock = years++ % 2 == 0 ? 1 : 4_000_000_000_000_000L;
                rows(
                        url,
                        rows -> rows.execute("update " + table(url) + " set expires_us = " + clock + ", acquired_us = "
                                + clock + " where lock_key = 'a'"));
                assertThat(tryAcquire(other)).isFalse();
                assertThat(holder.renew(LEASE, ENOUGH)).isTrue();
            }
            assertThat(two.backend.inspect("a", ENOUGH)).isPresent();
            assertThat(holder.release(ENOUGH)).isTrue();
            assertThat(tryAcquire(other)).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("urls")
    void aClientWithAnotherExpiryModeIsRefused(String url) {
        try (Client one = Client.open(free(url))) {
            assertThat(tryAcquire(brief(one, "a"))).isTrue();
            assertThatThrownBy(() -> Client.open(url))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("have mortise.clockFree=true");
        }
        String another = url + "x";
        try (Client one = Client.open(another)) {
            assertThat(tryAcquire(brief(one, "a"))).isTrue();
            assertThatThrownBy(() -> Client.open(free(another)))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("have not mortise.clockFree=true");
        }
    }

    @ParameterizedTest
    @MethodSource("urls")
    void revokingNowFreesAtOnceAndRevokingWaitsForTheWatch(String url) {
        try (Client one = Client.open(free(url));
                Client two = Client.open(free(url))) {
            Claim victim = held(one, "a");
            assertThat(two.backend.revoke("a", "enough", false, ENOUGH)).isTrue();
            assertThat(victim.renew(LEASE, ENOUGH)).isFalse();
            assertThat(victim.loss().cause()).isEqualTo(LossCause.REVOKED);
            assertThat(victim.holdsUntilLeaseEnds()).isTrue();
            Claim next = two.claim("a");
            assertThat(tryAcquire(next)).isFalse();
            assertThat(two.backend.revoke("a", "now", true, ENOUGH)).isTrue();
            assertThat(two.backend.inspect("a", ENOUGH)).isEmpty();
            assertThat(victim.renew(LEASE, ENOUGH)).isFalse();
            assertThat(victim.holdsUntilLeaseEnds()).isFalse();
            assertThat(tryAcquire(next)).as("without watching").isTrue();
            assertThat(next.fencingToken()).isGreaterThan(victim.fencingToken());
            assertThat(victim.release(ENOUGH)).isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource("urls")
    void releasedRowsAreSweptAndHeldOnesStayWhateverTheClockSays(String url) {
        try (Client one = Client.open(free(url));
                Client two = Client.open(free(url))) {
            Claim holder = held(one, "held");
            long highest = 0;
            for (int i = 0; i < 3 * Sweeper.RELEASES_PER_STEP; i++) {
                Claim once = held(two, "once/" + i);
                highest = Math.max(highest, once.fencingToken());
                once.release(ENOUGH);
            }
            rows(url, rows -> rows.execute("update " + table(url) + " set expires_us = 1 where lock_key <> '~'"));
            for (int i = 0; i < 3 * Sweeper.RELEASES_PER_STEP; i++) {
                two.claim("again").release(ENOUGH);
            }
            rows(url, rows -> await().atMost(ENOUGH)
                    .until(() ->
                            rows.number("select count(*) from " + table(url) + " where lock_key like 'once%'") == 0));
            assertThat(holder.renew(LEASE, ENOUGH)).isTrue();
            assertThat(held(two, "once/0").fencingToken()).isGreaterThan(highest);
        }
    }

    @ParameterizedTest
    @MethodSource("urls")
    void aSweepLeavesTheMarkOfAReleaseToRefuseATryThatComesLate(String url) {
        try (Client client = Client.open(free(url))) {
            Claim claim = brief(client, "a");
            rows(url, rows -> rows.execute("alter table " + table(url) + " rename to elsewhere"));
            assertThatThrownBy(() -> tryAcquire(claim)).hasMessageContaining("is missing");
            rows(url, rows -> rows.execute("alter table elsewhere rename to " + table(url)));
            assertThat(claim.release(ENOUGH)).isFalse();
            sweepAfterAGrant(url);
            assertThat(tryAcquire(claim)).as("as if it came late").isFalse();
            rows(url, rows -> {
                rows.execute("update " + table(url) + " set expires_us = 1 where lock_key = 'a'");
                sweepAfterAGrant(url);
                assertThat(rows.number("select count(*) from " + table(url) + " where lock_key = 'a'"))
                        .isZero();
            });
        }
    }

    /** Closing waits for the step. A row of a grant is there to go, because marks alone have no tokens to keep. */
    private static void sweepAfterAGrant(String url) {
        try (Client visitor = Client.open(free(url))) {
            held(visitor, "granted").release(ENOUGH);
            rows(url, rows -> rows.execute("update " + table(url) + " set expires_us = 1 where lock_key = 'granted'"));
        }
        try (Client visitor = Client.open(free(url))) {
            visitor.claim("nothing").release(ENOUGH);
        }
    }
}
