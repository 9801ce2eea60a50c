// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static io.mortise.lock.jdbc.Client.ENOUGH;
import static io.mortise.lock.jdbc.Client.LEASE;
import static io.mortise.lock.jdbc.Client.tryAcquire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LossCause;
import io.mortise.lock.jdbc.connection.CachedConnections;
import io.mortise.lock.jdbc.connection.ConnectionOpener;
import io.mortise.lock.jdbc.connection.Connections;
import io.mortise.lock.jdbc.connection.DataSourceConnections;
import io.mortise.lock.jdbc.connection.DriverConnections;
import io.mortise.lock.jdbc.sql.TableSettings;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.StoreUrl;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a database server of its own brings with it: restarts, lost connections, time zones, foreign transactions. */
@Timeout(120)
abstract class ServerContract {
    private static final int INCREMENTS = 12;
    private static final long HOUR_MICROS = 3_600_000_000L;

    /** A name for each test: they share the table. */
    final String lock = UUID.randomUUID().toString();

    abstract TestDatabase database();

    String url() {
        return database().url();
    }

    /** A client's commits need not wait for the disk. */
    String hastyUrl() {
        return url();
    }

    /** What a URL has that accepts no connection without TLS. */
    abstract String demandingTls();

    /** A client whose sessions are in a time zone so far from Greenwich. */
    abstract Client inZone(int hours);

    /** Has a session's clock go ahead by so many microseconds, its only parameter. */
    abstract String moveClock();

    /** Its sessions have transactions of that isolation unless told otherwise. */
    abstract String isolatedUrl(TransactionIsolationLevel isolation);

    /** Whether a statement that has waited for a row fails when the row was changed. */
    abstract boolean failsToSerialize(TransactionIsolationLevel isolation);

    /** The sessions that wait for a row. */
    abstract List<Long> blocked(Rows rows);

    /** Has an update of a row stay where it is, with the row locked, while the gate is closed. */
    abstract void makeGate(Rows rows, String table, String key);

    abstract void closeGate(Rows rows);

    abstract void openGate(Rows rows);

    /** Has the server choose another session if this one is in a deadlock. It has changed twenty rows more. */
    abstract void surviveDeadlocks(Rows rows);

    /** How many deadlocks the server has ended. */
    abstract long deadlocks(Rows rows);

    /** Ends a session, if it is still there. */
    abstract void kill(Rows rows, long session);

    private static LockClient client(String url, Duration lease) {
        return LockClient.builder(new JdbcBackendProvider().open(StoreUrl.parse(url)))
                .options(LockOptions.defaults().withLease(lease))
                .build();
    }

    private static HikariDataSource pool(String url, int size) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setMaximumPoolSize(size);
        return pool;
    }

    private Client withMovedClock(AtomicLong aheadMicros) {
        Connections connections = new CachedConnections(new DriverConnections(url()), TableSettings.DEFAULT);
        return new Client(JdbcBackend.connect(
                new MovedClock(connections, moveClock(), aheadMicros),
                TableSettings.DEFAULT.withTable("moved_clock"),
                Optional.empty(),
                ""));
    }

    static <T> CompletableFuture<T> inBackground(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, task -> new Thread(task).start());
    }

    void killThree(Rows rows) {
        AtomicInteger killed = new AtomicInteger();
        await().atMost(ENOUGH).until(() -> {
            for (long session : blocked(rows)) {
                kill(rows, session);
                killed.incrementAndGet();
            }
            return killed.get() >= 3;
        });
    }

    Handle blockRow(Rows rows, String key) {
        Handle blocker = begin(rows);
        blocker.execute("update mortise_locks set label = label where lock_key = ?", key);
        return blocker;
    }

    /** A transaction that fails for nothing that others do. */
    private static Handle begin(Rows rows) {
        Handle handle = rows.handle();
        handle.setTransactionIsolationLevel(TransactionIsolationLevel.READ_COMMITTED);
        return handle.begin();
    }

    @Test
    void aServerWithoutTlsIsRefusedWhereTheUrlDemandsIt() {
        assertThatThrownBy(() -> LockClient.connect(url() + demandingTls()).close())
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("the server does not speak TLS, which the URL demands");
    }

    @Test
    void sessionsInAnyTimeZoneAgreeAboutTheEndOfALease() {
        try (Client east = inZone(11);
                Client west = inZone(-8);
                Client home = Client.open(url())) {
            Claim held = east.held(lock);
            for (Client other : List.of(west, home)) {
                Claim refused = other.claim(lock);
                assertThat(tryAcquire(refused)).isFalse();
                assertThat(refused.retryAfter().orElseThrow())
                        .isBetween(Client.LEASE.minusSeconds(5), Client.LEASE.plusMillis(1));
            }
            held.release(ENOUGH);
            Claim next = west.held(lock);
            assertThat(next.fencingToken())
                    .as("by the clock, not by the zone")
                    .isBetween(held.fencingToken() + 1, held.fencingToken() + 60_000_000);
        }
    }

    @Test
    void aClockThatIsSetForwardEndsLeasesEarlyAndTheHolderIsTold() {
        AtomicLong ahead = new AtomicLong();
        try (Client one = withMovedClock(ahead);
                Client two = withMovedClock(ahead)) {
            Claim holder = one.held(lock);
            assertThat(tryAcquire(two.claim(lock))).isFalse();
            ahead.set(HOUR_MICROS);
            assertThat(holder.renew(LEASE, ENOUGH)).isFalse();
            assertThat(holder.loss().cause()).isEqualTo(LossCause.EXPIRED);
            Claim next = two.held(lock);
            assertThat(next.fencingToken()).isGreaterThan(holder.fencingToken());
            assertThat(holder.release(ENOUGH)).isFalse();
            assertThat(next.release(ENOUGH)).isTrue();
        }
    }

    @Test
    void aClockThatIsSetBackMakesLeasesLongerAndTokensRiseAllTheSame() {
        AtomicLong ahead = new AtomicLong();
        try (Client one = withMovedClock(ahead);
                Client two = withMovedClock(ahead)) {
            Claim holder = one.held(lock);
            Claim released = one.held(lock + "/released");
            released.release(ENOUGH);
            ahead.set(-HOUR_MICROS);
            Claim other = two.claim(lock);
            assertThat(tryAcquire(other)).isFalse();
            assertThat(other.retryAfter().orElseThrow()).isGreaterThan(Duration.ofMinutes(59));
            assertThat(holder.renew(LEASE, ENOUGH))
                    .as("which makes it as long as asked again")
                    .isTrue();
            assertThat(tryAcquire(other)).isFalse();
            assertThat(other.retryAfter().orElseThrow()).isLessThan(Duration.ofMinutes(1));
            assertThat(two.held(lock + "/released").fencingToken()).isGreaterThan(released.fencingToken());
            assertThat(holder.release(ENOUGH)).isTrue();
            assertThat(two.held(lock).fencingToken()).isGreaterThan(holder.fencingToken());
        }
    }

    @Test
    void namesThatACollationTakesForEqualAreDifferentLocks() {
        try (Client one = Client.open(url());
                Client two = Client.open(url())) {
            List<String> names = List.of("k", "K", "k ", " k", "e", "\u00e9", "e\u0301", "ss", "\u00df", "\u0130", "i");
            names.forEach(name -> one.held(lock + name));
            names.forEach(name ->
                    assertThat(tryAcquire(two.claim(lock + name))).as(name).isFalse());
        }
    }

    @Test
    void aMissingSchemaOrAnotherIsAClearErrorAtConnect() {
        String other = url() + "&mortise.table=other_schema";
        assertThatThrownBy(() -> Client.open(other + "&mortise.createSchema=false"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("other_schema is missing")
                .hasMessageContaining(".sql");
        Client.open(other).close();
        Client.open(other + "&mortise.createSchema=false").close();
        try (Rows rows = new Rows(url())) {
            rows.execute("alter table other_schema drop column released");
            assertThatThrownBy(() -> Client.open(other))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("released");
        }
    }

    /** The transaction has begun long ago and sees the past; the lock does not live in it. */
    @Test
    void anOldTransactionOfTheCallerChangesNothing() throws Exception {
        HikariDataSource pool = pool(url(), 2);
        pool.setAutoCommit(false);
        pool.setReadOnly(true);
        try (pool;
                Connection callers = pool.getConnection();
                Client client = new Client(JdbcBackend.of(pool));
                Client other = Client.open(url());
                Rows rows = new Rows(url())) {
            callers.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            callers.createStatement()
                    .executeQuery("select * from mortise_locks")
                    .close();
            long before = other.held(lock + "/clock").fencingToken();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1_200));
            Claim others = other.held(lock);
            assertThat(tryAcquire(client.claim(lock))).isFalse();
            others.release(ENOUGH);
            Claim held = client.held(lock);
            assertThat(held.fencingToken()).as("the time is now").isGreaterThan(before + 1_000_000);
            callers.rollback();
            assertThat(tryAcquire(other.claim(lock))).as("it is not undone").isFalse();
            assertThat(held.renew(LEASE, ENOUGH)).isTrue();
            assertThat(held.release(ENOUGH)).isTrue();
            assertThat(callers.isReadOnly()).isTrue();
            assertThat(callers.getAutoCommit()).isFalse();
            assertThat(rows.number("select count(*) from mortise_locks where lock_key = '" + lock + "'"))
                    .isEqualTo(1);
        }
    }

    @Test
    void aThousandLocksNeedNoConnectionsOfTheirOwn() throws Exception {
        try (HikariDataSource pool = pool(hastyUrl(), 2);
                Client client = new Client(JdbcBackend.of(pool));
                Connection callers = pool.getConnection()) {
            callers.createStatement().execute("select 1");
            List<Claim> claims = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                Claim claim = client.claim(lock + i, Duration.ofMinutes(10), 0, 1);
                assertThat(tryAcquire(claim)).isTrue();
                claims.add(claim);
            }
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isLessThanOrEqualTo(2);
            assertThat(client.backend.renewAll(Client.renewals(claims, Duration.ofMinutes(10)), ENOUGH))
                    .containsOnly(Answer.YES);
            for (Claim claim : claims) {
                assertThat(claim.release(ENOUGH)).isTrue();
            }
        }
    }

    /** Longer than one statement waits: a time-out, or what a stricter isolation makes of it. */
    @Test
    void aLockWaitIsRepeatedWhileThereIsTime() throws Exception {
        try (Client client = Client.open(url());
                Rows rows = new Rows(url())) {
            Claim held = client.held(lock);
            Claim ending = client.held(lock + "/ending");
            Claim next = client.claim(lock + "/next");
            client.held(lock + "/next").release(ENOUGH);
            Handle blocker = begin(rows);
            blocker.execute("update mortise_locks set left_us = left_us + 1 where lock_key like ?", lock + "%");
            CompletableFuture<Boolean> renewed = inBackground(() -> held.renew(LEASE, ENOUGH));
            CompletableFuture<Boolean> released = inBackground(() -> ending.release(ENOUGH));
            CompletableFuture<Boolean> granted = inBackground(() -> tryAcquire(next));
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1_500));
            for (CompletableFuture<Boolean> call : List.of(renewed, released, granted)) {
                assertThat(call).isNotDone();
            }
            blocker.commit();
            for (CompletableFuture<Boolean> call : List.of(renewed, released, granted)) {
                assertThat(call.get(20, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    /** Each has what the other needs next, and it is ours that is rolled back. */
    @Test
    void aDeadlockBringsNoLockDown() throws Exception {
        String table = "mortise_locks_in_a_circle";
        try (Rows rows = new Rows(url());
                Rows observer = new Rows(url())) {
            long before = deadlocks(observer);
            try (Client client = Client.open(url() + "&mortise.table=" + table)) {
                for (int i = 0; i < 20; i++) {
                    client.held("b" + i);
                }
                List<Claim> claims = List.of(client.held("a"), client.held("b"));
                makeGate(observer, table, "a");
                closeGate(observer);
                surviveDeadlocks(rows);
                Handle other = begin(rows);
                String change = "update " + table + " set left_us = left_us + 1 where lock_key like ?";
                assertThat(other.execute(change, "b%")).isEqualTo(21);
                CompletableFuture<List<Answer>> renewed = inBackground(
                        () -> client.backend.renewAll(Client.renewals(claims, Duration.ofMinutes(10)), ENOUGH));
                await().atMost(ENOUGH)
                        .until(() -> observer.number("select count(*) from (select lock_key from " + table
                                        + " where lock_key = 'a' for update skip locked) free")
                                == 0);
                CompletableFuture<Integer> changed = inBackground(() -> other.execute(change, "a"));
                await().atMost(ENOUGH).until(() -> !blocked(observer).isEmpty());
                openGate(observer);
                assertThat(changed.get(20, TimeUnit.SECONDS))
                        .as("the other is not the victim")
                        .isEqualTo(1);
                other.commit();
                assertThat(renewed.get(20, TimeUnit.SECONDS)).doesNotContain(Answer.NO);
                assertThat(client.backend.renewAll(Client.renewals(claims, Duration.ofMinutes(10)), ENOUGH))
                        .containsOnly(Answer.YES);
            }
            await("the server's count, which it may tell when the session is over")
                    .atMost(ENOUGH)
                    .until(() -> deadlocks(observer) > before);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = TransactionIsolationLevel.class,
            names = {"READ_UNCOMMITTED", "READ_COMMITTED", "REPEATABLE_READ", "SERIALIZABLE"})
    void noIncrementIsLostWhateverTheIsolationOfOurSessions(TransactionIsolationLevel isolation) throws Exception {
        HikariDataSource pool = pool(url(), 8);
        pool.setTransactionIsolation("TRANSACTION_" + isolation);
        ConnectionOpener opener = new DriverConnections(isolatedUrl(isolation));
        AtomicLong counter = new AtomicLong();
        try (pool;
                IsolatedConnections borrowed = new IsolatedConnections(new DataSourceConnections(pool));
                IsolatedConnections kept =
                        new IsolatedConnections(new CachedConnections(opener, TableSettings.DEFAULT));
                LockClient one = client(borrowed, opener);
                LockClient two = client(borrowed, opener);
                LockClient three = client(kept, opener);
                LockClient four = client(kept, opener)) {
            List<CompletableFuture<?>> threads = new ArrayList<>();
            for (LockClient client : List.of(one, two, three, four, one, two, three, four)) {
                threads.add(inBackground(() -> increment(client.lock(lock), counter)));
            }
            for (CompletableFuture<?> thread : threads) {
                thread.get(60, TimeUnit.SECONDS);
            }
            assertThat(counter).hasValue(8 * INCREMENTS);
            assertThat(borrowed.isolations()).containsExactly(isolation);
            assertThat(kept.isolations()).containsExactly(isolation);
        }
    }

    private static LockClient client(Connections connections, ConnectionOpener listening) {
        return LockClient.builder(
                        JdbcBackend.connect(connections, TableSettings.DEFAULT, Optional.of(listening), "a test"))
                .build();
    }

    private static Void increment(DistributedLock lock, AtomicLong counter) {
        for (int i = 0; i < INCREMENTS; i++) {
            try (Lease lease = lock.acquire()) {
                long read = counter.get();
                LockSupport.parkNanos(100_000);
                counter.set(read + 1);
                lease.ensureHeld();
            } catch (InterruptedException unexpected) {
                throw new IllegalStateException(unexpected);
            }
        }
        return null;
    }

    /** Where the database says so, for certain; elsewhere the statement goes on with the row as it is. */
    @ParameterizedTest
    @EnumSource(
            value = TransactionIsolationLevel.class,
            names = {"READ_UNCOMMITTED", "READ_COMMITTED", "REPEATABLE_READ", "SERIALIZABLE"})
    void aCallThatCannotBeSerializedIsRepeated(TransactionIsolationLevel isolation) throws Exception {
        ConnectionOpener opener = new DriverConnections(isolatedUrl(isolation));
        try (IsolatedConnections connections =
                        new IsolatedConnections(new CachedConnections(opener, TableSettings.DEFAULT));
                Client client =
                        new Client(JdbcBackend.connect(connections, TableSettings.DEFAULT, Optional.empty(), ""));
                Rows rows = new Rows(url());
                Rows observer = new Rows(url())) {
            do {
                Claim held = client.held(lock);
                changeWhile(rows, observer, () -> held.renew(LEASE, ENOUGH));
                changeWhile(rows, observer, () -> held.release(ENOUGH));
            } while (failsToSerialize(isolation) && connections.failures() == 0);
            assertThat(connections.failures() > 0).isEqualTo(failsToSerialize(isolation));
            assertThat(connections.isolations()).containsExactly(isolation);
        }
    }

    private void changeWhile(Rows rows, Rows observer, Supplier<Boolean> call) throws Exception {
        Handle blocker = blockRow(rows, lock);
        CompletableFuture<Boolean> called = inBackground(call);
        await().atMost(ENOUGH).until(() -> !blocked(observer).isEmpty());
        blocker.commit();
        assertThat(called.get(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void triesThatHangHoldUpNoRenewal() throws Exception {
        try (Client client = Client.open(url());
                Rows rows = new Rows(url())) {
            Claim held = client.held(lock);
            client.held(lock + "/blocked").release(ENOUGH);
            Handle blocker = blockRow(rows, lock + "/blocked");
            List<CompletableFuture<Boolean>> hanging = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                hanging.add(inBackground(() -> tryAcquire(client.claim(lock + "/blocked"))));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
            assertThat(held.renew(LEASE, ENOUGH.dividedBy(2))).isTrue();
            assertThat(client.backend.renewAll(Client.renewals(List.of(held), LEASE), ENOUGH.dividedBy(2)))
                    .containsExactly(Answer.YES);
            blocker.commit();
            int granted = 0;
            for (CompletableFuture<Boolean> each : hanging) {
                granted += each.handle((answer, unanswered) -> Boolean.TRUE.equals(answer))
                                .get(20, TimeUnit.SECONDS)
                        ? 1
                        : 0;
            }
            assertThat(granted).isLessThanOrEqualTo(1);
        }
    }

    /** A sweep changes one, too; only a guard, which shares its lock, is a reason to refuse. */
    @Test
    void aTryAwaitsWhoChangesTheRecordOfItsGrant() throws Exception {
        try (Client client = Client.open(url());
                Rows rows = new Rows(url())) {
            for (boolean swept : new boolean[] {false, true}) {
                client.held(lock).release(ENOUGH);
                if (swept) {
                    rows.execute("delete from mortise_locks where lock_key = '" + lock + "'");
                }
                Handle changing = begin(rows);
                changing.execute(
                        swept
                                ? "delete from mortise_locks_grants where lock_key = ?"
                                : "update mortise_locks_grants set fence = fence + 1 where lock_key = ?",
                        lock);
                Claim next = client.claim(lock);
                CompletableFuture<Boolean> tried = inBackground(() -> tryAcquire(next));
                assertThat(catchThrowable(() -> tried.get(300, TimeUnit.MILLISECONDS)))
                        .isInstanceOf(TimeoutException.class);
                changing.commit();
                assertThat(tried.get(20, TimeUnit.SECONDS)).isTrue();
                assertThat(next.release(ENOUGH)).isTrue();
            }
        }
    }

    @Test
    void aReleaseWhoseConnectionsAreKilledInMidStatementIsDoneLater() throws Exception {
        try (LockClient client = client(url(), Duration.ofMinutes(1));
                Client other = Client.open(url());
                Rows rows = new Rows(url());
                Rows killer = new Rows(url())) {
            Lease lease = client.lock(lock).acquire();
            Handle blocker = blockRow(rows, lock);
            CompletableFuture<Boolean> released = inBackground(lease::release);
            killThree(killer);
            blocker.commit();
            assertThat(released.handle((held, unanswered) -> held == null ? "unknown" : held)
                            .get(20, TimeUnit.SECONDS))
                    .isNotEqualTo(false);
            Claim next = other.claim(lock);
            await().atMost(ENOUGH).until(() -> tryAcquire(next));
            assertThat(client.lock(lock).tryAcquire()).isEmpty();
            assertThat(next.release(ENOUGH)).isTrue();
        }
    }

    @Test
    void aRestartForgetsNothingAndCallsGoOn() {
        try (Client one = Client.open(url());
                Client two = Client.open(url())) {
            Claim held = one.claim(lock, Duration.ofMinutes(10), 0, 1);
            assertThat(tryAcquire(held)).isTrue();
            assertThat(tryAcquire(two.claim(lock))).isFalse();
            database().server().kill();
            assertThatThrownBy(() -> held.renew(LEASE, ENOUGH)).isInstanceOf(BackendException.class);
            database().server().restart();
            await().atMost(ENOUGH)
                    .ignoreExceptionsInstanceOf(BackendException.class)
                    .until(() -> held.renew(LEASE, ENOUGH));
            await().atMost(ENOUGH)
                    .ignoreExceptionsInstanceOf(BackendException.class)
                    .until(() -> !tryAcquire(two.claim(lock)));
            assertThat(held.release(ENOUGH)).isTrue();
            assertThat(two.held(lock).fencingToken()).isGreaterThan(held.fencingToken());
        }
    }

    @Test
    void twoClientsMayMakeTheTablesAtOnce() throws Exception {
        for (int round = 0; round < 3; round++) {
            String table = "mortise.table=at_once_" + round;
            List<CompletableFuture<Client>> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                clients.add(inBackground(() -> Client.open(url() + "&" + table)));
            }
            for (CompletableFuture<Client> client : clients) {
                client.get(20, TimeUnit.SECONDS).close();
            }
        }
    }
}
