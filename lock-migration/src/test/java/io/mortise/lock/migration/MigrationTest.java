// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockEvent;
import io.mortise.lock.LockHolder;
import io.mortise.lock.LockListener;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.LossCause;
import io.mortise.lock.Ticker;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.migration.register.MigrationRegister;
import io.mortise.lock.migration.window.MigrationWindow;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.testing.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A migration from one store in memory to another, step by step; time passes when the test says so. */
@Timeout(60)
class MigrationTest {
    private static final Duration CALL = Duration.ofSeconds(5);
    private static final Duration BOUND = Duration.ofMinutes(10);
    private static final Duration LEASE = Duration.ofHours(10);
    private static final String LOCK = "lock";

    private final ManualTicker ticker = new ManualTicker();
    private final MemoryStore old = new MemoryStore(ticker);
    private final MemoryStore young = new MemoryStore(ticker);
    private final Migration migration = operator();
    private final List<MigrationBackend> open = new ArrayList<>();
    private int owners;

    /** Waits pass at once for the operator, and for everybody else, too. */
    private final class PassingTicker implements Ticker {
        @Override
        public long nanos() {
            return ticker.nanos();
        }

        @Override
        public long wallMillis() {
            return ticker.wallMillis();
        }

        @Override
        public void parkUntil(Object blocker, long until) {
            ticker.advance(Duration.ofNanos(Math.max(0, until - ticker.nanos())));
        }
    }

    private MigrationRegister register(String from, String to) {
        return new MigrationRegister(new MemoryBackend(young), "orders", from, to);
    }

    private Migration operator() {
        LockBackend keeper = new MemoryBackend(young);
        MigrationRegister register = new MigrationRegister(keeper, "orders", "old", "new");
        return new Migration(new MigrationStores(new MemoryBackend(old), keeper, register), new PassingTicker());
    }

    private MigrationBackend process() {
        MigrationBackend process =
                new MigrationBackend(new MemoryBackend(old), new MemoryBackend(young), register("old", "new"), ticker);
        open.add(process);
        return process;
    }

    @AfterEach
    void close() {
        open.forEach(MigrationBackend::close);
    }

    private Claim claim(LockBackend backend) {
        return backend.claim(
                new ClaimRequest(LOCK, String.format("%032x", ++owners), "", LEASE, false, 0, 1), () -> {});
    }

    private static Claim held(Claim claim) throws InterruptedException {
        assertThat(claim.tryAcquire(CALL)).isTrue();
        return claim;
    }

    private MigrationWindow window() {
        return migration.status().orElseThrow().window();
    }

    private boolean isFreeIn(MemoryStore store) {
        return new MemoryBackend(store).inspect(LOCK, CALL).isEmpty();
    }

    /** From the beginning to a window, however many steps that takes. */
    private void start(MigrationWindow window) {
        migration.start(BOUND, left -> {});
        if (window == MigrationWindow.OLD) {
            migration.back(MigrationWindow.OLD_AND_DUAL, left -> {});
            return;
        }
        for (MigrationWindow now = MigrationWindow.OLD_AND_DUAL; now != window; ) {
            now = migration.advance(now, left -> {});
        }
    }

    @Test
    void nobodyIsLetInBeforeTheStart() {
        Claim claim = claim(process());
        assertThatThrownBy(() -> claim.tryAcquire(CALL))
                .isInstanceOf(BackendException.class)
                .hasMessageContaining("there is no migration 'orders'");
        assertThat(isFreeIn(old)).isTrue();
    }

    @Test
    void aClientOfOtherStoresIsRefused() {
        start(MigrationWindow.OLD_AND_DUAL);
        MigrationBackend swapped =
                new MigrationBackend(new MemoryBackend(young), new MemoryBackend(old), register("new", "old"), ticker);
        open.add(swapped);
        assertThatThrownBy(() -> claim(swapped).tryAcquire(CALL))
                .isInstanceOf(BackendException.class)
                .hasMessageContaining("goes from old to new, and this client was told from new to old");
    }

    @Test
    void leasesAreWhereTheWindowSays() throws Exception {
        start(MigrationWindow.OLD);
        isHeldIn(true, false);
        migration.advance(MigrationWindow.OLD, left -> {});
        isHeldIn(true, true);
        migration.advance(MigrationWindow.OLD_AND_DUAL, left -> {});
        isHeldIn(true, true);
        migration.advance(MigrationWindow.DUAL, left -> {});
        isHeldIn(false, true);
        migration.advance(MigrationWindow.DUAL_AND_NEW, left -> {});
        isHeldIn(false, true);
        migration.back(MigrationWindow.NEW, left -> {});
        isHeldIn(true, true);
        migration.back(MigrationWindow.DUAL_AND_NEW, left -> {});
        isHeldIn(true, true);
        migration.back(MigrationWindow.DUAL, left -> {});
        isHeldIn(true, true);
        migration.back(MigrationWindow.OLD_AND_DUAL, left -> {});
        isHeldIn(true, false);
    }

    private void isHeldIn(boolean inOld, boolean inNew) throws InterruptedException {
        Claim claim = held(claim(process()));
        assertThat(isFreeIn(old)).isNotEqualTo(inOld);
        assertThat(isFreeIn(young)).isNotEqualTo(inNew);
        assertThat(claim.renew(LEASE, CALL)).isTrue();
        assertThat(claim.release(CALL)).isTrue();
        assertThat(isFreeIn(old)).isTrue();
        assertThat(isFreeIn(young)).isTrue();
    }

    /** There and back again, and one token is that of the whole lease. */
    @Test
    void aLeaseGoesAlongWithTheWindow() throws Exception {
        start(MigrationWindow.OLD);
        MigrationBackend process = process();
        Claim claim = held(claim(process));
        long token = claim.fencingToken();
        for (MigrationWindow now = MigrationWindow.OLD; now != MigrationWindow.NEW; ) {
            now = goOn(process, claim, now, true);
        }
        assertThat(isFreeIn(old)).isTrue();
        assertThat(isFreeIn(young)).isFalse();
        for (MigrationWindow now = MigrationWindow.NEW; now != MigrationWindow.OLD; ) {
            now = goOn(process, claim, now, false);
        }
        assertThat(isFreeIn(old)).isFalse();
        assertThat(isFreeIn(young)).isTrue();
        assertThat(claim.fencingToken()).isEqualTo(token);
        assertThat(claim.release(CALL)).isTrue();
        Claim next = held(claim(process));
        assertThat(next.fencingToken()).isGreaterThan(token);
    }

    /** As its background reading would have it, which goes on while the operator waits. */
    private MigrationWindow goOn(MigrationBackend process, Claim claim, MigrationWindow from, boolean forth) {
        Migration.Progress reading = left -> {
            var unused = process.window().ask(CALL);
        };
        MigrationWindow to = forth ? migration.advance(from, reading) : migration.back(from, reading);
        reading.waiting(Duration.ZERO);
        assertThat(process.renewAll(List.of(new Renewal(claim, LEASE)), CALL)).containsExactly(Answer.YES);
        assertThat(claim.reliableNanos()).isPositive();
        return to;
    }

    /** Neither store does for both, and nothing is left in the one that answered. */
    @Test
    void whereOneOfTheStoresIsAwayNobodyIsLetIn() throws Exception {
        start(MigrationWindow.DUAL);
        MigrationBackend process = process();
        held(claim(process)).release(CALL);
        for (MemoryStore away : List.of(old, young)) {
            away.pause();
            Claim claim = claim(process);
            assertThatThrownBy(() -> claim.tryAcquire(Duration.ofMillis(200))).isInstanceOf(BackendException.class);
            away.resume();
            boolean unused = claim.release(CALL);
            assertThat(isFreeIn(old)).isTrue();
            assertThat(isFreeIn(young)).isTrue();
        }
    }

    /** Leases go on for the bound, counted from the last question that was answered; tries for as long. */
    @Test
    void whereTheRegisterIsAwayTheBoundIsLeft() throws Exception {
        start(MigrationWindow.OLD);
        MigrationBackend process = process();
        Claim claim = held(claim(process));
        young.pause();
        ticker.advance(BOUND.minusMinutes(1));
        assertThat(claim.renew(LEASE, CALL)).isTrue();
        assertThat(claim.reliableNanos()).isPositive();
        assertThat(claim.release(CALL)).isTrue();
        assertThat(held(claim(process)).reliableNanos()).isPositive();
        ticker.advance(Duration.ofMinutes(1));
        assertThatThrownBy(() -> claim(process).tryAcquire(Duration.ofMillis(200)))
                .isInstanceOf(BackendException.class);
        young.resume();
    }

    /** Such as one that was frozen: it has what it had for no longer than the bound, and for good. */
    @Test
    void aProcessThatDoesNotReadHasNothingWhenTheWindowGoesOn() throws Exception {
        start(MigrationWindow.OLD);
        MigrationBackend frozen = process();
        Claim claim = held(claim(frozen));
        assertThat(claim.reliableNanos())
                .isGreaterThan(Duration.ofMinutes(9).toNanos())
                .isLessThan(BOUND.toNanos());
        migration.advance(MigrationWindow.OLD, left -> {});
        migration.advance(MigrationWindow.OLD_AND_DUAL, left -> {});
        assertThat(claim.reliableNanos()).isPositive();
        old.delete(LOCK); // as if its lease had ended in the store, which would keep the window where it is
        migration.advance(MigrationWindow.DUAL, left -> {});

        assertThat(claim.reliableNanos()).isNotPositive();
        assertThat(claim.loss().cause()).isEqualTo(LossCause.EXPIRED);
        assertThat(held(claim(process())).fencingToken()).isPositive();
        var unused = frozen.window().ask(CALL);
        assertThat(claim.reliableNanos()).isNotPositive();
        assertThat(claim.loss().cause()).isEqualTo(LossCause.REVOKED);
    }

    @Test
    void aLeaseThatLostItsPermissionDoesNotGetItAgain() throws Exception {
        start(MigrationWindow.OLD);
        MigrationBackend process = process();
        Claim claim = held(claim(process));
        ticker.advance(BOUND);
        assertThat(claim.reliableNanos()).isNotPositive();

        var unused = process.window().ask(CALL);

        assertThat(claim.reliableNanos()).isNotPositive();
        assertThat(claim.tryAcquire(CALL)).isTrue();
        assertThat(claim.reliableNanos()).isPositive();
    }

    /** The half that it lacks is somebody's: it goes on as it is while that is let in, and no longer. */
    @Test
    void aLeaseThatCannotGoAlongEnds() throws Exception {
        start(MigrationWindow.OLD);
        MigrationBackend process = process();
        Claim claim = held(claim(process));
        held(claim(new MemoryBackend(young)));
        migration.advance(MigrationWindow.OLD, left -> {});
        var unused = process.window().ask(CALL);
        assertThat(claim.renew(LEASE, CALL)).isTrue();
        assertThat(claim.reliableNanos()).isPositive();
        migration.advance(MigrationWindow.OLD_AND_DUAL, left -> {});
        unused = process.window().ask(CALL);
        assertThat(claim.renew(LEASE, CALL)).isTrue();

        ticker.advance(BOUND);
        unused = process.window().ask(CALL);

        assertThat(claim.reliableNanos()).isNotPositive();
        assertThat(claim.loss().cause()).isEqualTo(LossCause.REVOKED);
    }

    /** The lock is acquired in each store alone, so that neither half of a lease could tell the other store. */
    @Test
    void tokensRiseForLocksThatNobodyAcquiresInBothStores() throws Exception {
        start(MigrationWindow.OLD);
        Claim first = held(claim(process()));
        assertThat(first.raiseToken(1L << 51, CALL)).isTrue();
        assertThat(first.release(CALL)).isTrue();
        Claim inOld = held(claim(process()));
        assertThat(inOld.release(CALL)).isTrue();
        for (MigrationWindow now = MigrationWindow.OLD; now != MigrationWindow.NEW; ) {
            now = migration.advance(now, left -> {});
        }
        Claim inNew = held(claim(process()));
        assertThat(inNew.fencingToken()).isGreaterThan(inOld.fencingToken());
        assertThat(inNew.raiseToken(inNew.fencingToken() + 1000, CALL)).isTrue();
        assertThat(inNew.release(CALL)).isTrue();
        for (MigrationWindow now = MigrationWindow.NEW; now != MigrationWindow.OLD; ) {
            now = migration.back(now, left -> {});
        }
        assertThat(held(claim(process())).fencingToken()).isGreaterThan(inNew.fencingToken() + 1000);
    }

    @Test
    void whatIsFinishedHasNoWayBack() throws Exception {
        start(MigrationWindow.NEW);
        ticker.advance(Duration.ofMillis(1));
        migration.finish();
        migration.finish();
        assertThat(migration.status().orElseThrow().isFinished()).isTrue();
        assertThatThrownBy(() -> migration.back(MigrationWindow.NEW, left -> {}))
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("no way back");
        assertThat(held(claim(process())).release(CALL)).isTrue();
        assertThatThrownBy(() -> operator().start(BOUND, left -> {})).isInstanceOf(MigrationException.class);
    }

    /** It is in the old store alone, and so it is one of a client that does not go along. */
    @Test
    void whatIsHeldInOneStoreAloneKeepsTheWindowWhereItIs() throws Exception {
        start(MigrationWindow.DUAL);
        held(claim(process()));
        Claim theirs = new MemoryBackend(old)
                .claim(
                        new ClaimRequest("theirs", String.format("%032x", ++owners), "ann@db1", LEASE, false, 0, 1),
                        () -> {});
        held(theirs);
        assertThatThrownBy(() -> migration.advance(MigrationWindow.DUAL, left -> {}))
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("old store alone")
                .hasMessageContaining(": 'theirs' by ann@db1;");
        assertThat(window()).isEqualTo(MigrationWindow.DUAL);
        // Going back keeps the old store.
        assertThat(migration.back(MigrationWindow.DUAL, left -> {})).isEqualTo(MigrationWindow.OLD_AND_DUAL);
        migration.advance(MigrationWindow.OLD_AND_DUAL, left -> {});
        assertThat(theirs.release(CALL)).isTrue();
        assertThat(migration.advance(MigrationWindow.DUAL, left -> {})).isEqualTo(MigrationWindow.DUAL_AND_NEW);
    }

    @Test
    void whatIsHeldDuringPartOfTheWaitKeepsNothing() throws Exception {
        start(MigrationWindow.DUAL);
        Claim theirs = held(claim(new MemoryBackend(young)));
        Migration.Progress ending = left -> {
            boolean unused = theirs.release(CALL);
        };
        assertThat(migration.back(MigrationWindow.DUAL, ending)).isEqualTo(MigrationWindow.OLD_AND_DUAL);
    }

    /** A store without tokens tells two holds of a process apart by their age alone. */
    @Test
    void whoHoldsItAgainKeepsNothing() throws Exception {
        start(MigrationWindow.DUAL);
        held(claim(new MemoryBackend(old)));
        Migration.Progress changing = left -> {
            old.delete(LOCK);
            ticker.advance(BOUND.dividedBy(2));
            try {
                held(claim(new MemoryBackend(old)));
            } catch (InterruptedException impossible) {
                throw new AssertionError(impossible);
            }
        };
        assertThat(migration.advance(MigrationWindow.DUAL, changing)).isEqualTo(MigrationWindow.DUAL_AND_NEW);
    }

    /** The new store's tokens are behind those of the old one, and its clients will send no floor. */
    @Test
    void aMigrationIsNotFinishedBeforeTokensOfAnybodyRise() throws Exception {
        start(MigrationWindow.OLD);
        Claim first = held(claim(process()));
        assertThat(first.raiseToken(1L << 51, CALL)).isTrue();
        assertThat(first.release(CALL)).isTrue();
        for (MigrationWindow now = MigrationWindow.OLD; now != MigrationWindow.NEW; ) {
            now = migration.advance(now, left -> {});
        }
        assertThatThrownBy(migration::finish)
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("for a lock that it never had, and "
                        + migration.status().orElseThrow().newFloor());
        assertThat(migration.status().orElseThrow().isFinished()).isFalse();
        migration.tokensMayFall(true);
        migration.finish();
        assertThat(migration.status().orElseThrow().isFinished()).isTrue();
    }

    @Test
    void whatWasGivenUpCanBeStartedAgain() throws Exception {
        start(MigrationWindow.OLD_AND_DUAL);
        assertThatThrownBy(migration::abort)
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("in the window OLD_AND_DUAL, not in OLD");
        migration.back(MigrationWindow.OLD_AND_DUAL, left -> {});
        ticker.advance(Duration.ofMillis(1));
        migration.abort();
        migration.abort();
        isHeldIn(true, false);
        assertThatThrownBy(() -> migration.advance(MigrationWindow.OLD, left -> {}))
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("was given up; start it again");
        migration.start(Duration.ofSeconds(1), left -> {});
        MigrationStatus status = migration.status().orElseThrow();
        assertThat(status.window()).isEqualTo(MigrationWindow.OLD_AND_DUAL);
        assertThat(status.isFinished()).isFalse();
        assertThat(status.bound()).isEqualTo(BOUND);
    }

    /** The other half is given back by the holder, who is told. */
    @Test
    void aRevocationInTheStoreThatAllHoldersHaveEndsTheWholeLease() throws Exception {
        start(MigrationWindow.DUAL);
        Claim claim = held(claim(process()));
        assertThat(new MemoryBackend(old).revoke(LOCK, "maintenance", true, CALL))
                .isTrue();
        assertThat(isFreeIn(young)).isFalse();
        assertThat(claim.renew(LEASE, CALL)).isFalse();
        assertThat(claim.loss().cause()).isEqualTo(LossCause.REVOKED);
        assertThat(claim.release(CALL)).isFalse();
        assertThat(isFreeIn(young)).isTrue();
        assertThat(held(claim(process())).release(CALL)).isTrue();
    }

    /** The one way to fail open, for each lock that only saves work, as over any store. */
    @Test
    void aLockThatMayGoOnWithoutAnAnswerDoesSoWithoutTheRegister() throws Exception {
        start(MigrationWindow.DUAL);
        List<String> told = new CopyOnWriteArrayList<>();
        LockOptions optional =
                LockOptions.defaults().withGoOnWithoutAnswer(true).withMaxWait(Duration.ofMillis(500));
        try (LockClient client = LockClient.builder(process())
                .callTimeout(Duration.ofMillis(200))
                .listener(new LockListener() {
                    @Override
                    public void wentOnWithoutLock(LockEvent event, LockStoreException why) {
                        told.add(event.lockName());
                    }
                })
                .build()) {
            young.pause();
            assertThatThrownBy(() -> client.lock(LOCK).tryAcquire()).isInstanceOf(LockStoreException.class);
            boolean without = client.lock(LOCK, optional).call(Lease::isWithoutLock);
            assertThat(without).isTrue();
            young.resume();
            await().untilAsserted(() -> assertThat(told).containsExactly(LOCK));
        }
    }

    @Test
    void processesTellWhatTheyHaveRead() throws Exception {
        start(MigrationWindow.OLD_AND_DUAL);
        MigrationBackend process = process();
        held(claim(process));
        assertThat(migration.processes()).isEmpty();
        process.watching();
        MigrationProcess known = new MigrationProcess("", MigrationWindow.OLD_AND_DUAL);
        await().untilAsserted(() -> assertThat(migration.processes()).containsExactly(known));
        assertThat(process.list("", "", 2, CALL)).extracting(LockHolder::lock).containsExactly(LOCK);
        assertThat(migration.back(MigrationWindow.OLD_AND_DUAL, left -> {})).isEqualTo(MigrationWindow.OLD);
        process.close();
        open.remove(process);
        assertThat(migration.processes()).isEmpty();
    }

    @Test
    void aMigrationHasOneRegister() {
        start(MigrationWindow.OLD_AND_DUAL);
        LockBackend keeper = new MemoryBackend(old);
        Migration other = new Migration(
                new MigrationStores(
                        keeper, new MemoryBackend(young), new MigrationRegister(keeper, "orders", "old", "new")),
                new PassingTicker());
        assertThatThrownBy(() -> other.start(BOUND, left -> {}))
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("in the other store");
        assertThat(other.status()).isEmpty();
    }

    @Test
    void aPlanTellsWhatBothStoresPromise() {
        MigrationPlan plan = migration.plan();
        assertThat(plan.registerIsInNew()).isTrue();
        assertThat(plan.fencing()).isEqualTo(new MemoryBackend(old).fencingStrength());
        assertThat(plan.mayFallForth()).isFalse();
        assertThat(plan.mayFallBack()).isFalse();
        assertThat(migration.status()).isEmpty();
    }

    @Test
    void aStoreThatDoesNotAnswerIsToldAsSuch() {
        start(MigrationWindow.DUAL);
        young.pause();
        assertThatThrownBy(migration::status)
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("did not answer");
        young.resume();
    }

    @Test
    void ofTwoOperatorsTheSlowerIsToldSo() {
        start(MigrationWindow.DUAL);
        Migration other = operator();
        assertThatThrownBy(() -> migration.advance(MigrationWindow.DUAL, left -> {
                    if (window() == MigrationWindow.DUAL) {
                        other.back(MigrationWindow.DUAL, more -> {});
                        other.advance(MigrationWindow.OLD_AND_DUAL, more -> {});
                    }
                }))
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("another operator was faster");
        assertThat(window()).isEqualTo(MigrationWindow.DUAL);
    }

    @Test
    void theOperatorWaitsForTheBoundBeforeItLeavesDual() {
        start(MigrationWindow.DUAL);
        long before = ticker.nanos();
        migration.back(MigrationWindow.DUAL, left -> {});
        assertThat(Duration.ofNanos(ticker.nanos() - before)).isGreaterThan(BOUND);
        before = ticker.nanos();
        migration.advance(MigrationWindow.OLD_AND_DUAL, left -> {});
        assertThat(ticker.nanos()).isEqualTo(before);
    }

    @Test
    void aStartThatWasCutOffIsGoneOnWith() {
        migration.start(BOUND, left -> {});
        assertThat(window()).isEqualTo(MigrationWindow.OLD_AND_DUAL);
        assertThatThrownBy(() -> migration.start(BOUND, left -> {}))
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("the migration is in the window OLD_AND_DUAL");
        assertThatThrownBy(() -> migration.start(Duration.ofDays(1), left -> {}))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
