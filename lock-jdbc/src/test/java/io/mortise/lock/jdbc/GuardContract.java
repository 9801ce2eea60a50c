// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.jdbc.table.Sweeper;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.StoreUrl;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a guarded transaction must be able to rely on, where one transaction does not stop all others. */
@Timeout(240)
abstract class GuardContract {
    private static final int LANES = 8;
    static final LockOptions OPTIONS = LockOptions.defaults().withLease(Duration.ofSeconds(30));

    final TransactionGuard guard = TransactionGuard.ofDefaultTable();
    LockClient one;
    LockClient two;
    Rows rows;
    Connection transaction;

    /** A database of this test's own. */
    abstract String url();

    @BeforeEach
    void open() throws SQLException {
        one = connect();
        two = connect();
        rows = new Rows(url());
        rows.execute("drop table if exists account");
        rows.execute("create table account (id integer primary key, balance bigint not null, token bigint)");
        for (int account = 1; account <= LANES; account++) {
            rows.execute("insert into account values (" + account + ", 0, null)");
        }
        transaction = begin();
    }

    private LockClient connect() {
        return LockClient.builder(new JdbcBackendProvider().open(StoreUrl.parse(url())))
                .options(OPTIONS)
                .build();
    }

    Connection begin() throws SQLException {
        Connection connection = DriverManager.getConnection(url());
        connection.setAutoCommit(false);
        return connection;
    }

    @AfterEach
    void close() throws SQLException {
        transaction.rollback();
        transaction.close();
        rows.close();
        one.close();
        two.close();
    }

    static void deposit(Connection connection, long amount) throws SQLException {
        deposit(connection, 1, amount);
    }

    private static void deposit(Connection connection, int account, long amount) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.executeUpdate("update account set balance = balance + " + amount + " where id = " + account);
        }
    }

    long balance() {
        return rows.number("select balance from account where id = 1");
    }

    /** As the documents show it. */
    @Test
    void aHolderCommits() throws Exception {
        DistributedLock lock = one.lock("a");
        try (HikariDataSource dataSource = new HikariDataSource()) {
            dataSource.setJdbcUrl(url());
            try (Lease lease = lock.acquire();
                    Connection transaction = dataSource.getConnection()) {
                transaction.setAutoCommit(false);
                guard.ensureHeld(transaction, lease); // before what it reads and writes
                deposit(transaction, 5);
                transaction.commit();
            }
        }
        assertThat(balance()).isEqualTo(5);
    }

    /** Each pause comes between the holder's last look at its own clock and its question to the database. */
    @Test
    void aHolderPausedPastItsLeaseCannotCommitAThousandTimes() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(LANES);
        try {
            List<Callable<Void>> lanes = new ArrayList<>();
            for (int lane = 1; lane <= LANES; lane++) {
                int account = lane;
                lanes.add(() -> {
                    pauseHolders(account, 1_000 / LANES);
                    return null;
                });
            }
            for (Future<Void> lane : threads.invokeAll(lanes)) {
                lane.get();
            }
        } finally {
            threads.shutdown();
        }
        assertThat(rows.number("select sum(balance) from account")).isEqualTo(1_000);
    }

    private void pauseHolders(int account, int rounds) throws Exception {
        String name = "account/" + account;
        try (Rows past = new Rows(url());
                Connection guarded = begin()) {
            for (int round = 0; round < rounds; round++) {
                Lease paused = one.lock(name).acquire();
                past.execute("update mortise_locks set expires_us = acquired_us where lock_key = '" + name + "'");
                try (Lease present = two.lock(name).acquire()) {
                    assertThat(paused.isHeld()).as("it knows nothing").isTrue();
                    assertThatThrownBy(() -> {
                                guard.ensureHeld(guarded, paused);
                                deposit(guarded, account, 1_000_000);
                                guarded.commit();
                            })
                            .isInstanceOf(LockLostException.class);
                    guarded.rollback();
                    guard.ensureHeld(guarded, present);
                    deposit(guarded, account, 1);
                    guarded.commit();
                }
                paused.release();
            }
        }
    }

    /**
     * What the next holder finds when it is granted the lock is still so when it writes: the one before comes in time in every
     * third round, too late in every third, and anywhere in the others.
     */
    @Test
    void nothingIsCommittedAfterTheNextGrant() throws Exception {
        int refused = 0;
        for (int round = 0; round < 99; round++) {
            int kind = round % 3;
            CountDownLatch guarded = new CountDownLatch(1);
            CountDownLatch granted = new CountDownLatch(1);
            Lease paused = one.lock("b").acquire();
            CompletableFuture<Boolean> writes = CompletableFuture.supplyAsync(() -> commits(
                    paused,
                    () -> {
                        if (kind == 1) {
                            granted.await();
                        } else {
                            pauseAtRandom();
                        }
                    },
                    () -> {
                        guarded.countDown();
                        pauseAtRandom();
                    }));
            if (kind == 0) {
                assertThat(guarded.await(30, TimeUnit.SECONDS)).isTrue();
            } else {
                pauseAtRandom();
            }
            rows.execute("update mortise_locks set expires_us = acquired_us where lock_key = 'b'");
            try (Lease present = two.lock("b").acquire()) {
                long found = balance();
                granted.countDown();
                pauseAtRandom();
                assertThat(balance()).as("round " + round).isEqualTo(found);
                assertThat(commits(present, () -> {}, () -> {})).isTrue();
            }
            boolean inTime = writes.get(30, TimeUnit.SECONDS);
            refused += inTime ? 0 : 1;
            assertThat(kind == 2 || inTime == (kind == 0)).as("round " + round).isTrue();
            paused.release();
        }
        assertThat(refused).as("rounds in which it came too late").isBetween(33, 66);
    }

    private static void pauseAtRandom() {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(2_000_000));
    }

    private interface Moment {
        void pass() throws InterruptedException;
    }

    private boolean commits(Lease lease, Moment before, Moment inside) {
        try (Connection connection = begin()) {
            before.pass();
            try {
                guard.ensureHeld(connection, lease);
                inside.pass();
                deposit(connection, 1);
                connection.commit();
                return true;
            } catch (LockLostException lost) {
                connection.rollback();
                return false;
            }
        } catch (SQLException | InterruptedException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Test
    void renewalGoesOnWhileATransactionIsOpen() throws Exception {
        LockOptions brief = OPTIONS.withLease(Duration.ofSeconds(6));
        try (Lease lease = one.lock("a", brief).acquire();
                Lease other = one.lock("other", brief).acquire()) {
            guard.ensureHeld(transaction, lease);
            long before = leastVersion();
            await().atMost(brief.lease().multipliedBy(2)).until(() -> leastVersion() > before);
            assertThat(two.lock("a").tryAcquire()).as("it is held").isEmpty();
            deposit(transaction, 7);
            transaction.commit();
            assertThat(lease.isHeld()).isTrue();
            assertThat(other.isHeld()).isTrue();
        }
        assertThat(balance()).isEqualTo(7);
    }

    private long leastVersion() {
        return rows.number("select min(version) from mortise_locks where lock_key in ('a', 'other')");
    }

    @Test
    void closingTheLeaseInsideReturnsAndTheLockIsFreeAfterTheCommit() throws Exception {
        Lease lease = one.lock("a").acquire();
        guard.ensureHeld(transaction, lease);
        assertThat(lease.release()).as("answered within the transaction").isTrue();

        assertThat(two.lock("a").tryAcquire()).as("busy, not unknown").isEmpty();
        // A busy machine may leave the last question of a short wait without an answer.
        await().ignoreExceptionsInstanceOf(LockStoreException.class)
                .until(() -> one.lock("a").tryAcquire(Duration.ofMillis(700)).isEmpty());
        assertThat(two.lock("a").holder())
                .as("those who were refused left nothing")
                .isEmpty();
        CompletableFuture<Optional<Lease>> waiting = CompletableFuture.supplyAsync(() -> tryFor20Seconds(two));
        assertThat(catchThrowable(() -> waiting.get(500, TimeUnit.MILLISECONDS)))
                .isInstanceOf(java.util.concurrent.TimeoutException.class);
        deposit(transaction, 3);
        transaction.commit();
        try (Lease next = waiting.get(10, TimeUnit.SECONDS).orElseThrow()) {
            assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
            assertThat(balance()).isEqualTo(3);
        }
    }

    private static Optional<Lease> tryFor20Seconds(LockClient client) {
        try {
            return client.lock("a").tryAcquire(Duration.ofSeconds(20));
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    /** Starts it, and returns when it waits behind a thread of the same client. */
    private static <T> Future<T> inLine(Callable<T> acquiring) {
        FutureTask<T> task = new FutureTask<>(acquiring);
        Thread thread = new Thread(task);
        thread.start();
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        return task;
    }

    /** A hand-over would let the next thread read what the transaction is about to change. */
    @Test
    void aWaiterOfTheSameClientWaitsForTheCommitToo() throws Exception {
        Lease lease = one.lock("a").acquire();
        Future<Long> next = inLine(() -> {
            Lease mine = tryFor20Seconds(one).orElseThrow();
            try (mine) {
                return balance();
            }
        });
        guard.ensureHeld(transaction, lease);
        deposit(transaction, 11);
        lease.close();
        LockSupport.parkNanos(100_000_000);
        assertThat(next.isDone()).isFalse();
        transaction.commit();
        assertThat(next.get(20, TimeUnit.SECONDS)).isEqualTo(11);
    }

    @Test
    void theGuardKnowsEachHolderAfterAHandOver() throws Exception {
        boolean handedOver = false;
        // Nothing is handed over when the machine has stood still: once more then.
        for (int i = 0; i < 100 && !handedOver; i++) {
            Lease first = handingOver().acquire();
            Future<Optional<Lease>> waiting = inLine(() -> handingOver().tryAcquire(Duration.ofSeconds(20)));
            first.close();
            try (Lease second = waiting.get(20, TimeUnit.SECONDS).orElseThrow()) {
                handedOver = second.fencingToken() == first.fencingToken() + 1;
                assertThatThrownBy(() -> guard.ensureHeld(transaction, first))
                        .isInstanceOf(IllegalStateException.class);
                guard.ensureHeld(transaction, second);
                transaction.commit();
            }
        }
        assertThat(handedOver).isTrue();
    }

    private DistributedLock handingOver() {
        return one.lock("a", one.options().withLocalHandOvers(1));
    }

    @Test
    void aRepeatableReadTransactionSurvivesRenewals() throws Exception {
        for (int isolation : new int[] {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE}) {
            try (Connection isolated = begin();
                    Lease lease = one.lock("a").acquire()) {
                isolated.setTransactionIsolation(isolation);
                isolated.createStatement().executeQuery("select * from account").close();
                rows.execute("update mortise_locks set expires_us = expires_us + 1, version = version + 1");
                guard.ensureHeld(isolated, lease);
                deposit(isolated, 1);
                isolated.commit();
            }
        }
        assertThat(balance()).isEqualTo(2);
    }

    @Test
    void aConnectionThatCommitsEachStatementIsRefused() throws Exception {
        try (Connection connection = DriverManager.getConnection(url());
                Lease lease = one.lock("a").acquire()) {
            assertThatThrownBy(() -> guard.ensureHeld(connection, lease))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("setAutoCommit(false)");
        }
    }

    @Test
    void sweepingLeavesAnOpenTransactionItsGuard() throws Exception {
        Lease lease = one.lock("a").acquire();
        guard.ensureHeld(transaction, lease);
        lease.close();
        rows.execute("update mortise_locks set counter = counter - 30000000, expires_us = 0 where lock_key = 'a'");
        rows.execute("update mortise_locks set counter = counter + 60000000 where lock_key = '~'");
        try (Client sweeper = Client.open(url())) {
            sweeper.claim("nothing").release(Client.ENOUGH);
        }
        assertThat(rows.number("select count(*) from mortise_locks where lock_key = 'a'"))
                .as("the lock's row is swept")
                .isZero();
        assertThat(two.lock("a").tryAcquire()).isEmpty();
        transaction.commit();
        assertThat(two.lock("a").tryAcquire(Duration.ofSeconds(5))).isPresent();
    }

    @Test
    void aSweepThatMeetsAnOpenTransactionRefusesNobody() throws Exception {
        one.lock("a").acquire().close();
        Lease guarded = one.lock("b").acquire();
        guard.ensureHeld(transaction, guarded);
        try (Client sweeper = Client.open(url())) {
            for (int i = 0; i < 5 * Sweeper.RELEASES_PER_STEP; i++) {
                sweeper.claim("nothing").release(Client.ENOUGH);
                Optional<Lease> lease = two.lock("a").tryAcquire();
                assertThat(lease).as("free, whatever a sweep does").isPresent();
                lease.get().close();
            }
        }
    }

    @Test
    void aLockIsTakenAgainThoughTheRecordOfItsGrantsIsGone() {
        try (Client client = Client.open(url())) {
            client.held("a").release(Client.ENOUGH);
            rows.execute("delete from mortise_locks_grants");
            Claim again = client.held("a");
            assertThat(recorded("a")).isEqualTo(again.fencingToken());
            assertThat(rows.number("select fence from mortise_locks where lock_key = 'a'"))
                    .isEqualTo(again.fencingToken());
            assertThat(again.release(Client.ENOUGH)).isTrue();
        }
    }

    @Test
    void eachGrantOfALockThatNobodyElseWantsIsRecordedForItAlone() {
        try (Client client = Client.open(url())) {
            Claim other = client.held("b");
            for (int i = 0; i < 3; i++) {
                Claim claim = client.held("a");
                assertThat(recorded("a")).isEqualTo(claim.fencingToken());
                assertThat(recorded("b")).isEqualTo(other.fencingToken());
                assertThat(claim.release(Client.ENOUGH)).isTrue();
            }
            assertThat(other.release(Client.ENOUGH)).isTrue();
        }
    }

    private long recorded(String lock) {
        return rows.number("select fence from mortise_locks_grants where lock_key = '" + lock + "'");
    }

    @Test
    void recordsOfGrantsAreSweptWithTheirLocks() {
        try (Client client = Client.open(url())) {
            for (int i = 0; i < 100; i++) {
                client.held("once/" + i).release(Client.ENOUGH);
            }
            assertThat(rows.number("select count(*) from mortise_locks_grants")).isEqualTo(100);
            rows.age(10_000_000);
            for (int i = 0; i < 2 * Sweeper.RELEASES_PER_STEP; i++) {
                client.claim("again").release(Client.ENOUGH);
            }
            await().atMost(Client.ENOUGH).until(() -> rows.number("select count(*) from mortise_locks_grants") == 0);
        }
    }

    @Test
    void aFencingGuardRefusesLowerTokensAndAdmitsOthers() throws Exception {
        JdbcFencingGuard fencing = JdbcFencingGuard.of("account", "id", "token");
        assertThat(fencing.admit(transaction, 1, 10)).as("the first").isTrue();
        assertThat(fencing.admit(transaction, 1, 10)).as("the same again").isTrue();
        transaction.commit();
        assertThat(fencing.admit(transaction, 1, 9)).isFalse();
        assertThat(fencing.admit(transaction, 1, 12)).isTrue();
        assertThat(fencing.admit(transaction, 1, 11)).isFalse();
        assertThat(fencing.admit(transaction, LANES + 1, 99)).as("no such row").isFalse();
        transaction.commit();
        assertThat(rows.number("select token from account where id = 1")).isEqualTo(12);
    }
}
