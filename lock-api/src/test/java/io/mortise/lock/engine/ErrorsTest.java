// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockEvent;
import io.mortise.lock.LockListener;
import io.mortise.lock.LockOptions;
import io.mortise.lock.Loss;
import io.mortise.lock.engine.ThrowingStore.Call;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.testing.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is thrown into the engine, every name can be had again, leases are renewed, and losses are told. */
@Timeout(60)
class ErrorsTest {
    /** It logs what is thrown here on purpose; held, so that the level is not forgotten. */
    private static final Logger ENGINE = Logger.getLogger("io.mortise.lock.engine");

    static {
        ENGINE.setLevel(Level.OFF);
    }

    private static final Duration LEASE = Duration.ofSeconds(10);

    /** What is thrown. */
    enum Thrown {
        OUT_OF_MEMORY(() -> new OutOfMemoryError("injected")),
        STACK_OVERFLOW(() -> new StackOverflowError("injected")),
        NO_CLASS(() -> new NoClassDefFoundError("injected")),
        RUNTIME_EXCEPTION(() -> new IllegalStateException("injected"));

        @SuppressWarnings("ImmutableEnumChecker") // the lambdas have no state
        private final Supplier<Throwable> failure;

        Thrown(Supplier<Throwable> failure) {
            this.failure = failure;
        }
    }

    private final ManualTicker ticker = new ManualTicker();
    private final MemoryStore memory = new MemoryStore(ticker);
    private final ThrowingStore store = new ThrowingStore(new MemoryBackend(memory));
    private final List<Loss> losses = new CopyOnWriteArrayList<>();
    private final List<Lease> kept = new ArrayList<>();
    private @Nullable LockClient locks;
    private final LockClient other = client(new ThrowingStore(new MemoryBackend(memory)), new LockListener() {});

    private LockClient client(ThrowingStore over, LockListener listener) {
        return LockClient.builder(over)
                .ticker(ticker)
                .callTimeout(Duration.ofMillis(200))
                .options(LockOptions.defaults().withLease(LEASE))
                .listener(listener)
                .build();
    }

    @AfterEach
    void close() throws Exception {
        store.heal();
        LockClient client = locks;
        if (client != null) {
            BackgroundCall.startAction(client::close).get();
        }
        other.close();
        assertThat(kept).as("reachable until now").isNotNull();
    }

    /** Lets time pass, slowly enough for renewals, until something is so. */
    private void pass(String until, BooleanSupplier condition) {
        pass(Duration.ofMillis(10), until, condition);
    }

    /** Like {@link #pass(String, BooleanSupplier)}, too fast for renewals, where no lease has to be kept. */
    private void passFast(String until, BooleanSupplier condition) {
        pass(Duration.ofMillis(100), until, condition);
    }

    private void pass(Duration step, String until, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > 8_000_000_000L) {
                throw new AssertionError("this did not become so: " + until);
            }
            ticker.advance(step);
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Runs a call that may throw what is injected, and lets time pass until it has ended. Its answer, or null if it threw. */
    private <T> @Nullable T attempt(String what, Callable<T> call) throws InterruptedException {
        BackgroundCall<T> background = BackgroundCall.start(call);
        pass("has ended: " + what, background::isDone);
        try {
            return background.get();
        } catch (InterruptedException interrupted) {
            throw interrupted;
        } catch (Exception injected) {
            return null;
        }
    }

    private Lease acquired(LockClient client, String name) throws InterruptedException {
        for (int i = 0; i < 4; i++) {
            Lease lease = attempt("acquire " + name, () -> client.lock(name)
                    .tryAcquire(LEASE.multipliedBy(2))
                    .orElseThrow(() -> new AssertionError(name + " is stuck")));
            if (lease != null) {
                kept.add(lease);
                return lease;
            }
        }
        throw new AssertionError("lock " + name + " cannot be had");
    }

    private void toRenewal(Lease lease) {
        ticker.advance(LEASE.dividedBy(3).plusMillis(500));
        pass("renewed", () -> lease.remaining().compareTo(LEASE.multipliedBy(8).dividedBy(10)) > 0);
    }

    static Stream<Arguments> faults() {
        return Stream.of(Call.values())
                .flatMap(call -> Stream.of(Thrown.values()).map(thrown -> Arguments.of(call, thrown)));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void whateverTheStoreThrowsTheClientGoesOn(Call call, Thrown thrown) throws Exception {
        locks = client(store, new LockListener() {});
        Lease busy = acquired(other, "busy");
        everyCall(locks, busy, () -> {
            store.plan(call, thrown.failure);
            store.plan(call, thrown.failure);
        });
        assertThat(store.thrown()).as("how often it was thrown").isPositive();
        everythingWorks(locks);
    }

    static Stream<Arguments> faultsOfGrants() {
        return faults().filter(fault ->
                List.of(Call.AFTER_TRY, Call.LEASE_SPENT, Call.FENCING_TOKEN).contains(fault.get()[0]));
    }

    @ParameterizedTest
    @MethodSource("faultsOfGrants")
    void aGrantThatIsNotUsedIsGivenBackLongBeforeItsEnd(Call call, Thrown thrown) throws Exception {
        LockClient client = client(store, new LockListener() {});
        locks = client;
        store.always(call, () -> ErrorsTest.<RuntimeException>sneak(thrown.failure.get()));
        Optional<Lease> granted = attempt("a try", client.lock("a")::tryAcquire);
        assertThat(granted).as("the answer to a try that failed").isNull();
        store.heal();
        soonFree("a");
    }

    static Stream<Arguments> faultsOfReleases() {
        return faults().filter(
                        fault -> List.of(Call.RELEASE, Call.AFTER_RELEASE).contains(fault.get()[0]));
    }

    @ParameterizedTest
    @MethodSource("faultsOfReleases")
    void aReleaseThatFailsIsTriedAgainAndTheLineGoesOn(Call call, Thrown thrown) throws Exception {
        LockClient client = client(store, new LockListener() {});
        locks = client;
        Lease lease = acquired(client, "a");
        Lease second = acquired(client, "b");
        store.always(call, () -> ErrorsTest.<RuntimeException>sneak(thrown.failure.get()));
        assertThat(attempt("a release", lease::release))
                .as("the answer to a release that failed")
                .isNull();
        assertThat(attempt("a second release", lease::release))
                .as("the answer stays the same")
                .isNull();
        attempt("another release", second::release);
        assertThat(lease.isHeld()).isFalse();
        store.heal();
        soonFree("a");
        soonFree("b");
        assertThat(acquired(client, "a").release()).isTrue();
    }

    /** Others get it long before its lease would have ended. */
    private void soonFree(String name) {
        long start = ticker.nanos();
        pass(
                name + " is free",
                () -> other.lock(name).tryAcquire().map(Lease::release).orElse(false));
        assertThat(Duration.ofNanos(ticker.nanos() - start)).isLessThan(LEASE.dividedBy(2));
    }

    @ParameterizedTest
    @EnumSource(Thrown.class)
    void whateverListenersThrowTheClientGoesOnAndTellsTheOthers(Thrown thrown) throws Exception {
        List<String> events = new CopyOnWriteArrayList<>();
        locks = client(store, new LockListener() {
            @Override
            public void acquired(LockEvent event) {
                told("acquired " + event.lockName());
            }

            @Override
            public void renewed(LockEvent event, Duration late) {
                told("renewed " + event.lockName());
            }

            @Override
            public void lost(LockEvent event, Loss loss) {
                told("lost " + event.lockName());
            }

            @Override
            public void released(LockEvent event) {
                told("released " + event.lockName());
            }

            private void told(String what) {
                events.add(what);
                ErrorsTest.<RuntimeException>sneak(thrown.failure.get());
            }
        });
        List<String> told = new CopyOnWriteArrayList<>();
        Lease lease = acquired(locks, "a");
        for (int i = 0; i < 3; i++) {
            lease.whenLost((lost, loss) -> {
                told.add("lost");
                ErrorsTest.<RuntimeException>sneak(thrown.failure.get());
            });
            lease.whenAtRisk((risky, left) -> {
                told.add("at risk");
                ErrorsTest.<RuntimeException>sneak(thrown.failure.get());
            });
        }
        toRenewal(lease);
        memory.delete("a");
        pass(
                "all three are told of the loss",
                () -> told.stream().filter("lost"::equals).count() == 3);
        acquired(locks, "b").close();
        pass("all events are told", () -> events.contains("released b"));
        assertThat(events).contains("acquired a", "renewed a", "lost a", "acquired b");
        everythingWorks(locks);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> void sneak(Throwable failure) throws E {
        throw (E) failure;
    }

    /** Does what makes an engine call each method of a backend, whatever comes of it. */
    private void everyCall(LockClient client, Lease busy, Runnable plan) throws InterruptedException {
        plan.run();
        attempt("a timed try for a busy lock", () -> client.lock("busy").tryAcquire(Duration.ofMillis(500)));
        busy.release();
        Lease released = acquired(client, "a");
        Lease revoked = acquired(client, "revoked").onLost(losses::add);
        Lease deleted = acquired(client, "deleted").onLost(losses::add);
        plan.run();
        attempt("a listener", () -> revoked.whenRevoked((lease, reason) -> {}));
        ticker.advance(LEASE.dividedBy(3).plusMillis(500));
        pass("a renewal, whatever its end", () -> store.calls(Call.RENEW_ALL) > 0);
        if (revoked.isHeld()) {
            assertThat(other.lock("revoked").revoke("maintenance")).isTrue();
        }
        memory.delete("deleted");
        passFast("the loss of what was deleted is noticed", () -> !deleted.isHeld());
        passFast("the loss of what was revoked is noticed", () -> !revoked.isHeld());
        pass("both losses are told", () -> losses.size() == 2);
        Lease again = acquired(client, "deleted");
        plan.run();
        attempt("a release", again::release);
        attempt("a release", released::release);
        attempt("another release", released::release);
        assertThat(released.isHeld()).isFalse();
        assertThat(again.isHeld()).isFalse();
    }

    private void everythingWorks(LockClient client) throws Exception {
        store.heal();
        for (int i = 0; i < 3; i++) {
            store.plan(Call.RELEASE, () -> new IllegalStateException("no answer"));
        }
        attempt("a release without an answer", acquired(client, "forgotten")::release);
        soonFree("forgotten");
        losses.clear();
        for (String name : List.of("a", "busy", "revoked", "deleted")) {
            Lease mine = acquired(client, name);
            assertThat(mine.isHeld()).isTrue();
            BackgroundCall.start(mine::release).get();
            Lease theirs = acquired(other, name);
            assertThat(theirs.release()).isTrue();
        }
        Lease fresh = acquired(client, "fresh").onLost(losses::add);
        for (int i = 0; i < 4; i++) {
            toRenewal(fresh);
        }
        assertThat(losses).isEmpty();
        memory.delete("fresh");
        passFast("the loss of a fresh lease is told", () -> losses.size() == 1);
        Lease ended = acquired(client, "ended");
        ended.onLost(losses::add);
        memory.pause();
        try {
            ticker.advance(LEASE);
            pass("the end of a lease is told while the store stands still", () -> losses.size() == 2);
        } finally {
            memory.resume();
        }
        assertThat(acquired(client, "ended").release()).isTrue();
    }
}
