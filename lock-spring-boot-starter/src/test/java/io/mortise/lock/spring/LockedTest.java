// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.scheduling.annotation.Async;

/** Methods under locks, in an application without Spring Boot. */
class LockedTest {
    private final AnnotationConfigApplicationContext application =
            new AnnotationConfigApplicationContext(Locks.class, Orders.class, Outer.class);
    private final LockClient others = LockClient.connect("memory:locked");
    private final Orders orders = application.getBean(Orders.class);

    @Configuration(proxyBeanMethods = false)
    static class Locks {
        @Bean
        static LockedMethods lockedMethods() {
            return new LockedMethods();
        }

        @Bean
        LockClient lockClient() {
            return LockClient.connect("memory:locked?mortise.lease=6s");
        }
    }

    /** What an application has. */
    static class Orders {
        @Locked(name = "orders/#{#id}")
        String pay(@Nullable String id) {
            return CurrentLease.get().lockName();
        }

        @Locked(name = "orders/#{#p0.id()}-#{#order.line()}", maxWait = "0s")
        long payLine(Line order) {
            return CurrentLease.get().fencingToken();
        }

        @Locked(name = "all", maxWait = "50ms")
        void all(Runnable work) {
            work.run();
        }

        @Locked(name = "all")
        void waiting(Runnable work) {
            work.run();
        }

        @Locked(name = "all")
        void waitingInterruptibly() throws InterruptedException {
            Thread.sleep(0);
        }

        @Locked(name = "all")
        String alsoAll() {
            return CurrentLease.get().lockName();
        }

        @Locked(name = "other")
        List<String> nested(Callable<String> inner) throws Exception {
            String before = CurrentLease.get().lockName();
            String within = inner.call();
            return List.of(before, within, CurrentLease.get().lockName());
        }

        @Locked(name = "later/#{#id}")
        CompletionStage<String> later(String id, CompletableFuture<String> source) {
            return source.thenApply(text -> text + " under " + id);
        }

        @Locked(name = "later/#{#id}", maxWait = "50ms")
        CompletableFuture<String> soon(String id, Callable<CompletableFuture<String>> body) throws Exception {
            return body.call();
        }

        String withinItself(String id) {
            return pay(id);
        }
    }

    record Line(String id, int line) {}

    /** A caller from another bean. */
    static class Outer {
        private final Orders orders;

        Outer(Orders orders) {
            this.orders = orders;
        }

        @Locked(name = "all")
        String allAndAll() {
            return orders.alsoAll() + orders.pay("7");
        }
    }

    /** Also on a machine that stands still now and then. */
    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(60));
    }

    @BeforeEach
    void nothingIsHeld() {
        assertThat(others.holders("")).isEmpty();
    }

    @AfterEach
    void allIsReleased() {
        soon().untilAsserted(() -> assertThat(others.holders("")).isEmpty());
        application.close();
        others.close();
    }

    @Test
    void aNameIsMadeOfTheArguments() {
        assertThat(orders.pay("42")).isEqualTo("orders/42");
        assertThat(orders.payLine(new Line("a b", 3))).isPositive();
    }

    @Test
    void aNameWithoutAValueIsRefused() {
        Throwable refused = catchThrowable(() -> orders.pay(null));

        assertThat(refused)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("#{#id}")
                .hasMessageContaining("is null");
    }

    @Test
    void whatTakesTooLongIsATimeout() throws Exception {
        try (Lease held = others.lock("all").acquire()) {
            Throwable late = catchThrowable(() -> orders.all(() -> held.forbidHandOver()));

            assertThat(late).isInstanceOf(LockTimeoutException.class).hasMessageContaining("after 50 ms");
        }
        AtomicReference<String> ran = new AtomicReference<>();
        orders.all(() -> ran.set(CurrentLease.get().lockName()));
        assertThat(ran).hasValue("all");
    }

    @Test
    void zeroDoesNotWait() throws Exception {
        try (Lease held = others.lock("orders/a-1").acquire()) {
            assertThatThrownBy(() -> orders.payLine(new Line("a", 1))).isInstanceOf(LockTimeoutException.class);
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    void whatTheMethodThrowsIsThrown() {
        IllegalStateException wrong = new IllegalStateException("paid already");

        assertThatThrownBy(() -> orders.all(() -> {
                    throw wrong;
                }))
                .isSameAs(wrong);
    }

    @Test
    void errorsAreThrownToo() {
        AssertionError wrong = new AssertionError("wrong");

        assertThatThrownBy(() -> orders.all(() -> {
                    throw wrong;
                }))
                .isSameAs(wrong);
    }

    @Test
    void aCallFromTheSameObjectIsTold() {
        assertThatThrownBy(() -> orders.withinItself("42"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("from within its own object");
    }

    @Test
    void theInnermostLeaseIsTheCurrentOne() throws Exception {
        assertThat(orders.nested(() -> orders.pay("1"))).containsExactly("other", "orders/1", "other");
        assertThatThrownBy(CurrentLease::get).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aThreadThatIsInsideGetsInAgain() {
        assertThat(application.getBean(Outer.class).allAndAll()).isEqualTo("allorders/7");
    }

    @Test
    void nobodyGetsInAgainWhoseLeaseIsLost() {
        AtomicReference<Throwable> again = new AtomicReference<>();
        Throwable lost = catchThrowable(() -> orders.waiting(() -> {
            Lease lease = CurrentLease.get();
            assertThat(others.lock("all").revokeNow("test")).isTrue();
            while (lease.isHeld()) {
                // The loss interrupts this thread, which no condition of a library would outlive.
                LockSupport.parkNanos(1_000_000);
            }
            again.set(catchThrowable(orders::alsoAll));
        }));

        assertThat(lost).isInstanceOf(LockLostException.class);
        assertThat(again.get()).isInstanceOf(LockLostException.class);
    }

    @Test
    void anInterruptEndsTheWait() throws Exception {
        try (Lease held = others.lock("all").acquire()) {
            AtomicReference<Throwable> undeclared = new AtomicReference<>();
            AtomicReference<Throwable> declared = new AtomicReference<>();
            Thread caller = new Thread(() -> {
                Thread.currentThread().interrupt();
                undeclared.set(catchThrowable(() -> orders.waiting(() -> held.forbidHandOver())));
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
                declared.set(catchThrowable(orders::waitingInterruptibly));
            });
            caller.start();
            caller.join(60_000);

            assertThat(undeclared.get()).isInstanceOf(CancellationException.class);
            assertThat(declared.get()).isInstanceOf(InterruptedException.class);
        }
    }

    @Test
    void aStageHoldsTheLockUntilItIsComplete() {
        CompletableFuture<String> source = new CompletableFuture<>();
        CompletionStage<String> later = orders.later("7", source);

        soon().until(() -> others.lock("later/7").holder().isPresent());
        source.complete("done");

        assertThat(later.toCompletableFuture().join()).isEqualTo("done under 7");
        assertThat(others.lock("later/7").holder()).isEmpty();
    }

    @Test
    void aStageIsStartedWhenTheLockIsFree() throws Exception {
        CompletionStage<String> later;
        try (Lease held = others.lock("later/7").acquire()) {
            later = orders.later("7", CompletableFuture.completedFuture("done"));
            assertThat(held.isHeld()).isTrue();
            assertThat(later.toCompletableFuture()).isNotDone();
        }

        assertThat(later.toCompletableFuture().join()).isEqualTo("done under 7");
    }

    @Test
    void aStageThatWaitsTooLongFails() throws Exception {
        try (Lease held = others.lock("later/7").acquire()) {
            CompletableFuture<String> soon = orders.soon("7", () -> CompletableFuture.completedFuture("done"));

            assertThat(soon)
                    .failsWithin(Duration.ofSeconds(60))
                    .withThrowableThat()
                    .withCauseInstanceOf(LockTimeoutException.class);
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    void aStageThatFailsReleases() throws Exception {
        IllegalStateException wrong = new IllegalStateException("paid already");

        assertThat(orders.soon("7", () -> CompletableFuture.failedFuture(wrong)))
                .failsWithin(Duration.ofSeconds(60))
                .withThrowableThat()
                .withCause(wrong);
        assertThat(orders.soon("8", () -> {
                    throw wrong;
                }))
                .failsWithin(Duration.ofSeconds(60))
                .withThrowableThat()
                .withCause(wrong);
        assertThat(others.holders("later/")).isEmpty();
    }

    @Test
    void aStageWhoseLeaseIsLostSaysSo() {
        CompletableFuture<String> source = new CompletableFuture<>();
        CompletableFuture<String> later = orders.later("7", source).toCompletableFuture();
        soon().until(() -> others.lock("later/7").revokeNow("test"));
        soon().until(() ->
                !application.getBean(LockClient.class).lock("later/7").holder().isPresent());
        source.complete("done");

        assertThat(later)
                .failsWithin(Duration.ofSeconds(60))
                .withThrowableThat()
                .withCauseInstanceOf(LockLostException.class);
    }

    @Test
    void whoCancelsAWaitingStageWaitsNoLonger() throws Exception {
        try (Lease held = others.lock("later/7").acquire()) {
            CompletableFuture<String> later =
                    orders.later("7", new CompletableFuture<>()).toCompletableFuture();
            assertThat(later.cancel(true)).isTrue();
            assertThat(held.isHeld()).isTrue();
        }
        try (Lease next = others.lock("later/7").acquire()) {
            assertThat(next.isHeld()).isTrue();
        }
    }

    /** Beans that cannot work, with the reason. */
    static class Wrong {
        static class APrivateMethod {
            @Locked(name = "a")
            private void run() {}

            @Override
            public String toString() {
                run();
                return "";
            }
        }

        static class AFinalMethod {
            @Locked(name = "a")
            final void run() {}
        }

        static class AFuture {
            @Locked(name = "a")
            Future<String> run() {
                return CompletableFuture.completedFuture("");
            }
        }

        static class AStream {
            @Locked(name = "a")
            Stream<String> run() {
                return Stream.of();
            }
        }

        static class APublisher {
            @Locked(name = "a")
            Flow.Publisher<String> run() {
                return subscriber -> {};
            }
        }

        static class AsyncToo {
            @Async
            @Locked(name = "a")
            void run() {}
        }

        static class AnUnknownVariable {
            @Locked(name = "a/#{#name}")
            void run(String other) {}
        }

        static class NoExpression {
            @Locked(name = "a/#{1 +}")
            void run() {}
        }

        static class NoName {
            @Locked(name = "")
            void run() {}
        }

        static class NoDuration {
            @Locked(name = "a", maxWait = "soon")
            void run() {}
        }

        static class NoProperty {
            @Locked(name = "${unknown}")
            void run() {}
        }

        static class BothKinds {
            @Locked(name = "a")
            @LockedJob(atLeast = "1s")
            void run() {}
        }

        static class AJobWithAResult {
            @LockedJob(atLeast = "1s")
            int run() {
                return 1;
            }
        }

        static class AJobWithoutAtLeast {
            @LockedJob(atLeast = "${least:}")
            void run() {}
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Wrong.APrivateMethod.class,
                Wrong.AFinalMethod.class,
                Wrong.AFuture.class,
                Wrong.AStream.class,
                Wrong.APublisher.class,
                Wrong.AsyncToo.class,
                Wrong.AnUnknownVariable.class,
                Wrong.NoExpression.class,
                Wrong.NoName.class,
                Wrong.NoDuration.class,
                Wrong.NoProperty.class,
                Wrong.BothKinds.class,
                Wrong.AJobWithAResult.class,
                Wrong.AJobWithoutAtLeast.class
            })
    void whatCannotWorkIsRefusedAtTheStart(Class<?> wrong) {
        Throwable refused = catchThrowable(() -> new AnnotationConfigApplicationContext(Locks.class, wrong).close());

        assertThat(refused).hasRootCauseInstanceOf(RuntimeException.class).satisfies(failure -> assertThat(
                        causes(failure))
                .anyMatch(cause -> cause instanceof LockConfigurationException
                        && String.valueOf(cause.getMessage()).contains(wrong.getSimpleName() + ".run cannot work: ")));
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause);
    }

    /** Names and times from properties. */
    static class FromProperties {
        @Locked(name = "${prefix}/#{#id}", maxWait = "${wait}")
        String run(int id) {
            return CurrentLease.get().lockName();
        }
    }

    @Test
    void propertiesAreResolved() {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        try (GenericApplicationContext closed = context) {
            closed.getEnvironment()
                    .getPropertySources()
                    .addFirst(new MapPropertySource("test", java.util.Map.of("prefix", "jobs", "wait", "1s")));
            context.register(Locks.class, FromProperties.class);
            context.refresh();
            assertThat(context.getBean(FromProperties.class).run(3)).isEqualTo("jobs/3");
        }
    }

    @Test
    void otherThreadsWaitForTheLock() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Thread first = new Thread(() -> orders.waiting(() -> {
            inside.countDown();
            awaitUninterruptibly(end);
        }));
        first.start();
        inside.await();
        assertThatThrownBy(() -> orders.all(() -> {})).isInstanceOf(LockTimeoutException.class);
        end.countDown();
        first.join(60_000);
        assertThat(orders.alsoAll()).isEqualTo("all");
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
