// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
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
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A client whose store may throw, another client of the same store, and time that passes only when a test lets it. */
final class ErrorScene {
    static final Duration LEASE = Duration.ofSeconds(10);
    static final LockOptions OPTIONS = LockOptions.defaults().withLease(LEASE);

    final ManualTicker ticker = new ManualTicker();
    final MemoryStore memory = new MemoryStore(ticker);
    final ThrowingStore store = new ThrowingStore(new MemoryBackend(memory));
    final LockClient client;
    final LockClient other = open(new ThrowingStore(new MemoryBackend(memory)));
    final List<Loss> losses = new CopyOnWriteArrayList<>();
    private final List<Lease> kept = new ArrayList<>();

    ErrorScene(LockListener... listeners) {
        client = open(store, listeners);
    }

    private LockClient open(ThrowingStore over, LockListener... listeners) {
        var builder = LockClient.builder(over)
                .ticker(ticker)
                .callTimeout(Duration.ofMillis(200))
                .options(OPTIONS);
        for (LockListener listener : listeners) {
            builder.listener(listener);
        }
        return builder.build();
    }

    /** Both clients end, whatever was thrown into them. */
    void close() throws Exception {
        store.heal();
        BackgroundCall.startAction(client::close).get();
        other.close();
        assertThat(kept).as("reachable until now").isNotNull();
    }

    /** Lets time pass, slowly enough for renewals, until something is so. */
    void pass(String until, BooleanSupplier condition) {
        pass(Duration.ofMillis(10), until, condition);
    }

    /** Like {@link #pass(String, BooleanSupplier)}, too fast for renewals, where no lease has to be kept. */
    void passFast(String until, BooleanSupplier condition) {
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

    private <T> BackgroundCall<T> ended(String what, Callable<T> call) {
        BackgroundCall<T> background = BackgroundCall.start(call);
        pass("has ended: " + what, background::isDone);
        return background;
    }

    /** Runs a call that may throw what is injected, and lets time pass until it has ended. Its answer, or null if it threw. */
    <T> @Nullable T attempt(String what, Callable<T> call) throws InterruptedException {
        try {
            return ended(what, call).get();
        } catch (InterruptedException interrupted) {
            throw interrupted;
        } catch (Exception injected) {
            return null;
        }
    }

    /** Runs a call that must throw, and lets time pass until it has. What it threw. */
    Throwable failure(String what, Callable<?> call) throws InterruptedException {
        return ended(what, call).failure();
    }

    Lease acquired(LockClient by, String name) throws InterruptedException {
        for (int i = 0; i < 4; i++) {
            Lease lease = attempt("acquire " + name, () -> by.lock(name)
                    .tryAcquire(LEASE.multipliedBy(2))
                    .orElseThrow(() -> new AssertionError(name + " is stuck")));
            if (lease != null) {
                kept.add(lease);
                return lease;
            }
        }
        throw new AssertionError("lock " + name + " cannot be had");
    }

    void toRenewal(Lease lease) {
        ticker.advance(LEASE.dividedBy(3).plusMillis(500));
        renewed(lease);
    }

    void renewed(Lease lease) {
        pass("renewed", () -> lease.remaining().compareTo(LEASE.multipliedBy(8).dividedBy(10)) > 0);
    }

    /** Others get it long before its lease would have ended. */
    void soonFree(String name) {
        long start = ticker.nanos();
        pass(
                name + " is free",
                () -> other.lock(name).tryAcquire().map(Lease::release).orElse(false));
        assertThat(Duration.ofNanos(ticker.nanos() - start)).isLessThan(LEASE.dividedBy(2));
    }

    /** Names can be had and released, leases are renewed, losses are told. */
    void everythingWorks(String... names) throws Exception {
        store.heal();
        for (int i = 0; i < 3; i++) {
            store.plan(Call.RELEASE, () -> new IllegalStateException("no answer"));
        }
        attempt("a release without an answer", acquired(client, "forgotten")::release);
        soonFree("forgotten");
        losses.clear();
        for (String name : names) {
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
