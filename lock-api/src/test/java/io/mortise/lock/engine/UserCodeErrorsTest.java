// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockEvent;
import io.mortise.lock.LockListener;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.engine.ThrowingStore.Call;
import io.mortise.lock.memory.MemoryBackend;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever listeners, tasks and executors throw, the client goes on and all the others are told. */
@Timeout(60)
class UserCodeErrorsTest {
    /** Every event that the listeners of the client were told, by two of which the first throws each time. */
    private final List<String> toldToThrower = new CopyOnWriteArrayList<>();

    private final List<String> toldToNext = new CopyOnWriteArrayList<>();
    private volatile Runnable thrower = () -> {};
    private final ErrorScene scene =
            new ErrorScene(listener(toldToThrower, () -> thrower.run()), listener(toldToNext, () -> {}));
    private final LockClient client = scene.client;
    private final List<String> told = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    /** A listener that does the same in each of its methods. */
    private static LockListener listener(List<String> told, Runnable then) {
        return (LockListener) Proxy.newProxyInstance(
                LockListener.class.getClassLoader(),
                new Class<?>[] {LockListener.class},
                (proxy, method, arguments) -> {
                    told.add(method.getName() + " " + ((LockEvent) arguments[0]).lockName());
                    then.run();
                    return null;
                });
    }

    private static boolean sameEvents(List<String> some, List<String> others) {
        List<String> sorted = new ArrayList<>(some);
        List<String> othersSorted = new ArrayList<>(others);
        Collections.sort(sorted);
        Collections.sort(othersSorted);
        return sorted.equals(othersSorted);
    }

    @ParameterizedTest
    @EnumSource(Thrown.class)
    void aListenerThatThrowsAtEachEventIsToldAllOfThemAndSoIsTheNext(Thrown thrown) throws Exception {
        thrower = thrown::raise;
        Lease busy = scene.acquired(scene.other, "busy");
        scene.attempt("a wait for a busy lock", () -> client.lock("busy").tryAcquire(Duration.ofMillis(50)));
        assertThat(busy.release()).isTrue();
        scene.store.always(Call.TRY, () -> {
            throw new IllegalStateException("no answer");
        });
        DistributedLock unanswered = client.lock("unanswered");
        assertThat(scene.failure("a try without answer", unanswered::tryAcquire))
                .isInstanceOf(LockStoreException.class);
        DistributedLock without = client.lock("without", ErrorScene.OPTIONS.withGoOnWithoutAnswer(true));
        Optional<Lease> none = scene.attempt("a try that goes on", without::tryAcquire);
        assertThat(none).isPresent();
        scene.store.heal();
        Lease lease = scene.acquired(client, "a");
        scene.toRenewal(lease);
        scene.store.always(Call.RENEW_ALL, () -> {
            throw new IllegalStateException("no answer");
        });
        scene.pass("at risk", () -> toldToNext.contains("atRisk a"));
        scene.store.heal();
        scene.renewed(lease);
        scene.memory.delete("a");
        scene.pass("lost", () -> !lease.isHeld());
        assertThat(scene.acquired(client, "b").release()).isTrue();
        scene.pass("all is told", () -> toldToNext.contains("released b") && sameEvents(toldToThrower, toldToNext));
        assertThat(toldToNext)
                .contains("renewed a", "renewalUnanswered a")
                .containsOnlyOnce("timedOut busy", "failed unanswered", "wentOnWithoutLock without")
                .containsOnlyOnce("acquired a", "atRisk a", "lost a", "acquired b", "released b");
        assertThat(toldToThrower)
                .extracting(event -> event.substring(0, event.indexOf(' ')))
                .as("every method of the interface was called, and threw")
                .containsAll(Stream.of(LockListener.class.getMethods())
                        .map(Method::getName)
                        .toList());
        scene.everythingWorks("a", "b", "busy", "unanswered", "without");
    }

    private long count(String what) {
        return Collections.frequency(told, what);
    }

    private <T> BiConsumer<Lease, T> given(String what, Thrown thrown) {
        return (lease, content) -> {
            told.add(what);
            thrown.raise();
        };
    }

    private <T> Consumer<T> givenAlone(String what, Thrown thrown) {
        return content -> {
            told.add(what);
            thrown.raise();
        };
    }

    private void listen(Lease lease, String which, Thrown thrown) {
        lease.whenAtRisk(given(which + " whenAtRisk", thrown))
                .onAtRisk(givenAlone(which + " onAtRisk", thrown))
                .whenRevoked(given(which + " whenRevoked", thrown))
                .whenLost(given(which + " whenLost", thrown))
                .onLost(givenAlone(which + " onLost", thrown));
    }

    private void areTold(String event, int times, String... which) {
        for (String one : which) {
            scene.pass(one + " " + event + ", " + times + " times", () -> count(one + " " + event) >= times);
        }
    }

    /** The first and the second are added before all, the late ones when it has happened. */
    @ParameterizedTest
    @EnumSource(Thrown.class)
    void listenersOfALeaseThatThrowAreEachToldAsOftenAsItHappens(Thrown thrown) throws Exception {
        Lease lease = scene.acquired(client, "a");
        listen(lease, "first", thrown);
        listen(lease, "second", thrown);
        scene.store.always(Call.RENEW_ALL, () -> {
            throw new IllegalStateException("no answer");
        });
        areTold("whenAtRisk", 1, "first", "second");
        areTold("onAtRisk", 1, "first", "second");
        lease.onAtRisk(givenAlone("late onAtRisk", thrown)).whenAtRisk(given("late whenAtRisk", thrown));
        areTold("onAtRisk", 1, "late");
        areTold("whenAtRisk", 1, "late");
        scene.store.heal();
        scene.renewed(lease);
        assertThat(scene.other.lock("a").revoke("maintenance")).isTrue();
        areTold("whenRevoked", 1, "first", "second");
        lease.whenRevoked(given("late whenRevoked", thrown));
        areTold("whenRevoked", 1, "late");
        assertThat(lease.isHeld()).as("until its end").isTrue();
        areTold("whenAtRisk", 2, "first", "second", "late");
        areTold("onAtRisk", 2, "first", "second", "late");
        areTold("whenLost", 1, "first", "second");
        areTold("onLost", 1, "first", "second");
        lease.onLost(givenAlone("late onLost", thrown)).whenLost(given("late whenLost", thrown));
        areTold("onLost", 1, "late");
        areTold("whenLost", 1, "late");
        assertThat(told).as("all that was told").hasSize(3 * (2 + 2 + 1 + 1 + 1));
        scene.everythingWorks("a");
        assertThat(told).as("nothing was told again").hasSize(3 * (2 + 2 + 1 + 1 + 1));
    }

    @ParameterizedTest
    @EnumSource(Thrown.class)
    void whatATaskThrowsIsPassedOnAndItsLockReleased(Thrown thrown) throws Exception {
        Throwable seen = scene.failure("a task", () -> client.lock("a").<String, RuntimeException>call(lease -> {
            thrown.raise();
            return "not reached";
        }));
        assertThat(thrown.is(seen)).as("%s is what was thrown", seen).isTrue();
        assertThat(seen.getSuppressed()).isEmpty();
        assertThat(scene.other.lock("a").tryAcquire().map(Lease::release)).contains(true);
        scene.everythingWorks("a");
    }

    @ParameterizedTest
    @EnumSource(Thrown.class)
    void aFutureCompletesWhateverItsExecutorThrows(Thrown thrown) throws Exception {
        AtomicInteger refusals = new AtomicInteger();
        try (LockClient refused = LockClient.builder(new MemoryBackend(scene.memory))
                .ticker(scene.ticker)
                .executor(task -> {
                    refusals.incrementAndGet();
                    thrown.raise();
                })
                .build()) {
            CompletableFuture<Boolean> released =
                    refused.lock("a").acquireAsync().thenApply(Lease::release);
            assertThat(released.get(10, TimeUnit.SECONDS)).isTrue();
            assertThat(refusals).hasPositiveValue();
        }
        assertThat(scene.other.lock("a").tryAcquire()).isPresent();
    }

    /** Its class is the application's, and so is what its interrupt does. */
    private static final class Interrupted extends Thread {
        private final CountDownLatch called = new CountDownLatch(1);
        private final Thrown thrown;

        private Interrupted(Runnable body, Thrown thrown) {
            super(body, "throws when it is interrupted");
            this.thrown = thrown;
            setDaemon(true);
        }

        @Override
        public void interrupt() {
            called.countDown();
            thrown.raise();
        }
    }

    @ParameterizedTest
    @EnumSource(Thrown.class)
    void theLossOfATaskWhoseThreadCannotBeInterruptedIsTold(Thrown thrown) throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        FutureTask<String> task = new FutureTask<>(() -> client.lock("task").call(lease -> {
            lease.onLost(scene.losses::add);
            entered.countDown();
            mayEnd.await();
            return "done";
        }));
        Interrupted thread = new Interrupted(task, thrown);
        thread.start();
        entered.await();
        Lease lease = scene.acquired(client, "a").onLost(scene.losses::add);
        scene.memory.delete("a");
        scene.memory.delete("task");
        scene.pass("both losses are told", () -> scene.losses.size() == 2);
        thread.called.await();
        assertThat(lease.isHeld()).isFalse();
        assertThat(scene.losses).extracting(Loss::cause).containsOnly(LossCause.EVICTED_OR_DELETED);
        mayEnd.countDown();
        Throwable seen = BackgroundCall.start(task::get).failure();
        assertThat(seen).isInstanceOf(ExecutionException.class);
        assertThat(seen.getCause()).isInstanceOfSatisfying(LockLostException.class, lost -> assertThat(lost.result())
                .contains("done"));
        scene.everythingWorks("a", "task");
    }
}
