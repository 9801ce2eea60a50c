// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static io.mortise.lock.jdbc.Client.ENOUGH;
import static io.mortise.lock.jdbc.Client.tryAcquire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.jdbc.sql.LockKey;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.tck.servers.proxy.TcpProxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A release grants the lock to the first who waits. Commits that nobody waits for reach the disk late here, so that a crash
 * forgets them.
 */
@Timeout(120)
class PostgresQueueTest {
    @RegisterExtension
    static final TestDatabase DATABASE = TestDatabase.postgres("wal_writer_delay=10000ms");

    private static final String LOCK = "a";
    /** Long enough for a client's first answer, which needs a connection, on a busy machine. */
    private static final Duration TO_CONNECT = Duration.ofSeconds(3);

    private static final Duration LONG = Duration.ofSeconds(30);

    /** As WaiterQueue has it. */
    private static final Duration TIME_TO_CONFIRM = Duration.ofMillis(600);

    private final List<AutoCloseable> opened = new ArrayList<>();

    private JdbcBackend backend;
    private TcpProxy proxy;

    @BeforeEach
    void open() {
        Rows.dropTables(DATABASE.url());
        backend = backend(DATABASE.url());
        proxy = closeLater(
                TcpProxy.to(DATABASE.server().host(), DATABASE.server().port()));
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    private <T extends AutoCloseable> T closeLater(T resource) {
        opened.add(0, resource);
        return resource;
    }

    private JdbcBackend backend(String url) {
        return closeLater((JdbcBackend) new JdbcBackendProvider().open(StoreUrl.parse(url)));
    }

    /** Calls go straight to the server, notifications through the proxy. */
    private JdbcBackend backendThatListensThroughTheProxy() {
        PGSimpleDataSource direct = new PGSimpleDataSource();
        direct.setUrl(DATABASE.url());
        PGSimpleDataSource proxied = new PGSimpleDataSource();
        proxied.setUrl(DATABASE.urlAt(proxy.host(), proxy.port()));
        return closeLater(JdbcBackend.builder(direct).notifications(proxied).build());
    }

    /** One that holds a lock that nobody else has wanted since it was released last. */
    private Asking holdsWhatNobodyWanted(JdbcBackend client) {
        assertThat(holds(client, LONG).claim.release(ENOUGH)).isTrue();
        return holds(client, LONG);
    }

    private record Asking(Claim claim, String owner, AtomicInteger nudges) {
        boolean tryToAcquire() {
            return tryAcquire(claim);
        }
    }

    private Asking asks(JdbcBackend client, Duration lease, long floor) {
        AtomicInteger nudges = new AtomicInteger();
        String owner = Client.owner();
        Claim claim =
                client.claim(new ClaimRequest(LOCK, owner, "a test", lease, true, floor, 1), nudges::incrementAndGet);
        return new Asking(claim, owner, nudges);
    }

    private Asking holds(JdbcBackend client, Duration lease) {
        Asking holder = asks(client, lease, 0);
        assertThat(holder.tryToAcquire()).isTrue();
        return holder;
    }

    /** One that waits in the queue and hears. */
    private Asking waits(JdbcBackend client, Duration lease) {
        Asking waiter = asks(client, lease, 0);
        assertThat(waiter.tryToAcquire()).isFalse();
        await().atMost(ENOUGH).until(() -> client.listener().orElseThrow().areOn());
        waiter.nudges.set(0);
        return waiter;
    }

    private static void awaitNudge(Asking waiter) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(ENOUGH)
                .until(() -> waiter.nudges.get() > 0);
    }

    private static void isToldAndGranted(Asking waiter) {
        awaitNudge(waiter);
        assertThat(waiter.tryToAcquire()).isTrue();
    }

    private boolean isRefused() {
        return !tryAcquire(asksOnce());
    }

    private Claim asksOnce() {
        return backend.claim(new ClaimRequest(LOCK, Client.owner(), "", LONG, false, 0, 1), () -> {});
    }

    private static String holder() {
        try (Rows rows = new Rows(DATABASE.url())) {
            return rows.handle()
                    .createQuery("select coalesce(owner, '') from mortise_locks where lock_key = 'a'")
                    .mapTo(String.class)
                    .one();
        }
    }

    private static void addToQueue(String owner, long place) {
        try (Rows rows = new Rows(DATABASE.url())) {
            rows.handle()
                    .execute(
                            "insert into mortise_locks_queue (lock_key, place, owner, label, lease_us, tokens, token_floor,"
                                    + " channel, waiter) values (?, ?, ?, '', 30000000, 1, 0, '', 1)",
                            LockKey.of(LOCK).key(),
                            place,
                            owner);
        }
    }

    private static Duration sinceNanos(long start) {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @Test
    void whoeverWaitsForALockThatNobodyWantedIsGrantedIt() {
        Asking holder = holdsWhatNobodyWanted(backend);
        Asking waiter = waits(backend(DATABASE.url()), LONG);
        assertThat(holder.claim.release(ENOUGH)).isTrue();
        assertThat(holder()).isEqualTo(waiter.owner);
        isToldAndGranted(waiter);
        assertThat(waiter.claim.fencingToken()).isGreaterThan(holder.claim.fencingToken());
    }

    /** As for one whose place the releasing statement did not see yet. */
    @Test
    void whoeverComesWhileAnUnwantedLockIsReleasedIsTold() {
        Asking holder = holdsWhatNobodyWanted(backend);
        Asking waiter = waits(backend(DATABASE.url()), LONG);
        try (Rows rows = new Rows(DATABASE.url())) {
            rows.execute("delete from mortise_locks_queue where owner = '" + waiter.owner + "'");
        }
        assertThat(holder.claim.release(ENOUGH)).isTrue();
        assertThat(holder()).isEmpty();
        isToldAndGranted(waiter);
    }

    @Test
    void aReleaseGrantsTheLockToTheFirstAndTellsItAlone() {
        Asking holder = holds(backend, LONG);
        Asking first = waits(backend(DATABASE.url()), LONG);
        Asking second = waits(backend(DATABASE.url()), LONG);
        assertThat(holder.claim.release(ENOUGH)).isTrue();
        assertThat(holder()).isEqualTo(first.owner);
        isToldAndGranted(first);
        assertThat(first.claim.fencingToken()).isGreaterThan(holder.claim.fencingToken());
        assertThat(first.claim.leaseSpent())
                .as("it has what was left of the lease before")
                .isPositive()
                .isLessThan(Duration.ofSeconds(5));
        assertThat(second.nudges).hasValue(0);
        assertThat(second.tryToAcquire()).isFalse();
        assertThat(first.claim.renew(LONG, ENOUGH)).isTrue();
        assertThat(first.claim.leaseSpent()).isZero();
        assertThat(first.claim.release(ENOUGH)).isTrue();
        isToldAndGranted(second);
        assertThat(second.claim.release(ENOUGH)).isTrue();
        assertThat(holder()).isEmpty();
    }

    @Test
    void whoDoesNotConfirmLosesTheLockSoonAfter() {
        Asking holder = holds(backend, LONG);
        addToQueue("gone", minutesAgo(1));
        Asking waiter = waits(backend(DATABASE.url()), LONG);
        long released = System.nanoTime();
        assertThat(holder.claim.release(ENOUGH)).isTrue();
        assertThat(holder()).as("it came first").isEqualTo("gone");
        awaitNudge(waiter);
        assertThat(sinceNanos(released)).isBetween(Duration.ofMillis(600), Duration.ofMillis(1900));
        assertThat(waiter.tryToAcquire()).isTrue();
    }

    @Test
    void manyWhoAreGoneHoldUpOthersNoLongerThanOne() throws Exception {
        LockOptions options = LockOptions.defaults().withLease(LONG);
        Asking holder = holds(backend, LONG);
        for (int i = 0; i < 9; i++) {
            addToQueue("gone" + i, minutesAgo(1));
        }
        try (LockClient waiting =
                        LockClient.builder(DATABASE.url()).options(options).build();
                LockClient another =
                        LockClient.builder(DATABASE.url()).options(options).build()) {
            assertThat(waiting.lock(LOCK).tryAcquire(TO_CONNECT)).isEmpty();
            long released = System.nanoTime();
            holder.claim.release(ENOUGH);
            waiting.lock(LOCK).acquire().close();
            another.lock(LOCK).acquire().close();
            waiting.lock(LOCK).acquire().close();
            assertThat(sinceNanos(released)).isLessThan(Duration.ofMillis(2500));
        }
    }

    @Test
    void whoDoesNotConfirmLosesTheLockThoughTheReleaserEnds() throws Exception {
        LockOptions options = LockOptions.defaults().withLease(LONG);
        Asking holder = holds(backend, LONG);
        addToQueue("gone", minutesAgo(1));
        try (LockClient waiting =
                LockClient.builder(DATABASE.url()).options(options).build()) {
            assertThat(waiting.lock(LOCK).tryAcquire(TO_CONNECT)).isEmpty();
            holder.claim.release(ENOUGH);
            backend.close();
            assertThat(waiting.lock(LOCK).tryAcquire(Duration.ofSeconds(10))).isPresent();
        }
    }

    @Test
    void whoIsTooLateToConfirmIsRefused() {
        Asking holder = holds(backend, LONG);
        Asking slow = waits(backendThatListensThroughTheProxy(), LONG);
        proxy.freezeReplies();
        holder.claim.release(ENOUGH);
        assertThat(holder()).isEqualTo(slow.owner);
        Asking another = asks(backend(DATABASE.url()), LONG, 0);
        await().atMost(ENOUGH).until(another::tryToAcquire);
        proxy.heal();
        awaitNudge(slow);
        assertThat(slow.tryToAcquire()).isFalse();
        assertThat(slow.claim.release(ENOUGH)).isFalse();
        assertThat(another.claim.release(ENOUGH)).isTrue();
    }

    @Test
    void whoHasConfirmedKeepsTheLock() {
        Asking holder = holds(backend, LONG);
        Asking first = waits(backend(DATABASE.url()), LONG);
        Asking second = waits(backend(DATABASE.url()), LONG);
        holder.claim.release(ENOUGH);
        awaitNudge(first);
        await().during(Duration.ofMillis(1500)).atMost(ENOUGH).until(() -> !second.tryToAcquire());
        assertThat(first.tryToAcquire()).isTrue();
        assertThat(first.claim.release(ENOUGH)).isTrue();
    }

    /** Its first try may have been carried out late, so that it stands in the queue without knowing it. */
    @Test
    void whoHasTheLockAndAnOldPlaceInTheQueueKeepsTheLock() {
        Asking holder = holds(backend, LONG);
        addToQueue(holder.owner, minutesAgo(1));
        await().during(Duration.ofMillis(1500)).atMost(ENOUGH).until(this::isRefused);
        assertThat(holder.claim.renew(LONG, ENOUGH)).isTrue();
        Asking waiter = waits(backend(DATABASE.url()), LONG);
        assertThat(holder.claim.release(ENOUGH)).isTrue();
        assertThat(holder()).isEqualTo(waiter.owner);
    }

    @Test
    void whoGivesUpIsPassedOver() {
        Asking holder = holds(backend, LONG);
        Asking impatient = waits(backend(DATABASE.url()), LONG);
        Asking unheard = waits(backendThatListensThroughTheProxy(), LONG);
        Asking last = waits(backend(DATABASE.url()), LONG);
        assertThat(impatient.claim.release(ENOUGH)).isFalse();
        proxy.freezeReplies();
        long handedOver = System.nanoTime();
        holder.claim.release(ENOUGH);
        assertThat(holder()).isEqualTo(unheard.owner);
        boolean held = unheard.claim.release(ENOUGH);
        // On a machine that stood still the hand-over may have been taken back, since nobody has confirmed it.
        assertThat(held || Duration.ofNanos(System.nanoTime() - handedOver).compareTo(TIME_TO_CONFIRM) > 0)
                .as("it had the lock without knowing it")
                .isTrue();
        // Then it may try like anybody.
        assertThat(holder()).isIn(last.owner, "");
        isToldAndGranted(last);
        proxy.heal();
    }

    @Test
    void aLeaseIsNeverLongerThanWhatWasLeftBeforeOrThanItsOwn() {
        Asking holder = holds(backend, LONG);
        Asking brief = waits(backend(DATABASE.url()), Duration.ofSeconds(6));
        holder.claim.release(ENOUGH);
        isToldAndGranted(brief);
        assertThat(brief.claim.leaseSpent()).isLessThan(Duration.ofSeconds(1));
        Asking longer = waits(backend(DATABASE.url()), LONG);
        assertThat(brief.claim.release(ENOUGH)).isTrue();
        isToldAndGranted(longer);
        assertThat(longer.claim.leaseSpent())
                .as("too little was left, so it has asked for all of its lease")
                .isZero();
        await().during(Duration.ofMillis(6500)).atMost(LONG).until(this::isRefused);
    }

    @Test
    void aLeaseThatIsNotRenewedEndsByTheClockAfterAHandOver() {
        Asking holder = holds(backend, LONG);
        Asking brief = waits(backend(DATABASE.url()), Duration.ofSeconds(1));
        holder.claim.release(ENOUGH);
        isToldAndGranted(brief);
        await().atMost(Duration.ofSeconds(3)).until(() -> tryAcquire(asksOnce()));
        assertThat(brief.claim.renew(Duration.ofSeconds(1), ENOUGH)).isFalse();
    }

    @Test
    void tokensAboveTheClockAreGrantedByTheWaiterItself() {
        Asking holder = holds(backend, LONG);
        Asking waiter = asks(backend(DATABASE.url()), LONG, ClaimRequest.HIGHEST_TOKEN_FLOOR);
        assertThat(waiter.tryToAcquire()).isFalse();
        holder.claim.release(ENOUGH);
        assertThat(holder()).isEmpty();
        isToldAndGranted(waiter);
        assertThat(waiter.claim.fencingToken()).isGreaterThan(ClaimRequest.HIGHEST_TOKEN_FLOOR);
        Asking next = waits(backend(DATABASE.url()), LONG);
        waiter.claim.release(ENOUGH);
        isToldAndGranted(next);
        assertThat(next.claim.fencingToken()).isGreaterThan(waiter.claim.fencingToken());
    }

    @Test
    void aGuardedLockIsHandedOverToNobody() throws Exception {
        try (LockClient client = LockClient.connect(DATABASE.url());
                Connection transaction = DriverManager.getConnection(DATABASE.url())) {
            transaction.setAutoCommit(false);
            Lease lease = client.lock(LOCK).acquire();
            Asking waiter = waits(backend, LONG);
            TransactionGuard.ofDefaultTable().ensureHeld(transaction, lease);
            lease.release();
            assertThat(holder()).isEmpty();
            assertThat(waiter.tryToAcquire()).isFalse();
            transaction.commit();
            await().atMost(ENOUGH).until(waiter::tryToAcquire);
        }
    }

    @Test
    void aReleaseThatDidNotArriveHandsOverWhenItIsRepeated() {
        Asking holder = holds(backend(DATABASE.urlAt(proxy.host(), proxy.port())), LONG);
        Asking waiter = waits(backend, LONG);
        proxy.freezeRequests();
        assertThatThrownBy(() -> holder.claim.release(Duration.ofMillis(300))).isInstanceOf(BackendException.class);
        assertThat(holder()).isEqualTo(holder.owner);
        proxy.killConnections();
        proxy.heal();
        assertThat(holder.claim.release(ENOUGH)).isTrue();
        isToldAndGranted(waiter);
    }

    /** Whether the server remembers the last hand-over depends on when it last wrote its log. */
    @Test
    void aHandOverThatACrashForgetsStillKeepsOthersAway() {
        boolean forgotten = false;
        for (int round = 0; round < 5 && !forgotten; round++) {
            Asking holder = holds(backend, Duration.ofSeconds(8));
            Asking waiter = waits(backend(DATABASE.url()), Duration.ofSeconds(8));
            holder.claim.release(ENOUGH);
            // What is spent counts from the call, and the machine may stand still after it.
            long asked = System.nanoTime();
            isToldAndGranted(waiter);
            Duration left = Duration.ofSeconds(8).minus(waiter.claim.leaseSpent());
            long until = asked + left.toNanos();
            crash();
            forgotten = holder().equals(holder.owner);
            Claim asking = asksOnce();
            while (System.nanoTime() < until) {
                asking = asksOnce();
                boolean refused = !tryAcquire(asking);
                assertThat(refused || System.nanoTime() >= until)
                        .as("the waiter may still rely on its lease")
                        .isTrue();
            }
            // The last one may have been granted the lock already.
            Claim next = asking;
            await().atMost(ENOUGH).until(() -> tryAcquire(next));

            assertThat(next.fencingToken()).isGreaterThan(waiter.claim.fencingToken());
            next.release(ENOUGH);
        }
        assertThat(forgotten).isTrue();
    }

    @Test
    void aReleaseThatIsRepeatedAfterACrashFreesNothingThatItHasHandedOver() {
        // Longer than a server takes to start again where the machine is busy.
        Duration lease = Duration.ofSeconds(25);
        Duration leaseOver = lease.plusSeconds(4);
        boolean forgotten = false;
        for (int round = 0; round < 5 && !forgotten; round++) {
            Asking holder = asks(backend(DATABASE.urlAt(proxy.host(), proxy.port())), lease, 0);
            // The crash of the round before may have forgotten that its waiter has left the queue.
            await().atMost(leaseOver).until(holder::tryToAcquire);
            Asking waiter = waits(backend(DATABASE.url()), lease);
            proxy.freezeReplies();
            assertThatThrownBy(() -> holder.claim.release(Duration.ofMillis(200)))
                    .isInstanceOf(BackendException.class);
            isToldAndGranted(waiter);
            Duration left = lease.minus(waiter.claim.leaseSpent());
            long until = System.nanoTime() + left.toNanos();
            crash();
            proxy.killConnections();
            proxy.heal();
            forgotten = holder().equals(holder.owner);
            await().ignoreExceptions().atMost(lease).until(() -> holder.claim.release(ENOUGH));
            assertThat(isRefused()).isTrue();
            assertThat(System.nanoTime()).isLessThan(until);
            if (!forgotten) {
                await().ignoreExceptions().atMost(ENOUGH).until(() -> waiter.claim.release(ENOUGH));
            }
        }
        assertThat(forgotten).isTrue();
        await().atMost(leaseOver).until(() -> !isRefused());
    }

    @Test
    void placesOfThoseWhoAreGoneAreSwept() {
        try (Rows rows = new Rows(DATABASE.url())) {
            Claim first = asksOnce();
            assertThat(tryAcquire(first)).isTrue();
            addToQueue("gone", minutesAgo(61));
            addToQueue("new", minutesAgo(59));
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                for (int i = 0; i < 64; i++) {
                    Claim other =
                            backend.claim(new ClaimRequest("b" + i, Client.owner(), "", LONG, false, 0, 1), () -> {});
                    assertThat(tryAcquire(other)).isTrue();
                    other.release(ENOUGH);
                }
                return rows.number("select count(*) from mortise_locks_queue where owner = 'gone'") == 0;
            });
            assertThat(rows.number("select count(*) from mortise_locks_queue where owner = 'new'"))
                    .isEqualTo(1);
            assertThat(rows.number("select count(*) from mortise_locks_queue where lock_key = '~'"))
                    .isEqualTo(1);
        }
    }

    /** Connections from before are broken, so that others ask now. */
    private void crash() {
        DATABASE.server().kill();
        DATABASE.server().restart();
        backend = backend(DATABASE.url());
    }

    private static long minutesAgo(int minutes) {
        try (Rows rows = new Rows(DATABASE.url())) {
            return rows.number("select cast(extract(epoch from clock_timestamp()) as bigint) - 60 * " + minutes)
                    * 1_000_000;
        }
    }
}
