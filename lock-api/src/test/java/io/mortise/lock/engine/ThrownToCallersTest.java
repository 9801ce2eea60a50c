// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.DistributedReentrantLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockClosedException;
import io.mortise.lock.LockEvent;
import io.mortise.lock.LockException;
import io.mortise.lock.LockListener;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockReleaseException;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.engine.ThrowingStore.Call;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.spi.SafetyLevel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What callers, holders and listeners see of what a store throws, call by call, and that the client goes on afterwards. */
@Timeout(60)
class ThrownToCallersTest {
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final ErrorScene scene = new ErrorScene(new LockListener() {
        @Override
        public void failed(LockEvent event, LockException failure) {
            events.add("failed");
        }

        @Override
        public void renewalUnanswered(LockEvent event, Duration remaining) {
            events.add("renewal unanswered");
        }

        @Override
        public void atRisk(LockEvent event, Duration remaining) {
            events.add("at risk");
        }

        @Override
        public void lost(LockEvent event, Loss loss) {
            events.add("lost " + loss.cause());
        }
    });
    private final ThrowingStore store = scene.store;
    private final LockClient client = scene.client;
    private final CountDownLatch never = new CountDownLatch(1);

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    private static Stream<Arguments> faultsOf(Call... calls) {
        return ErrorsTest.faultsOf(calls);
    }

    private static void isWhatWasThrown(@Nullable Throwable seen, Thrown thrown) {
        assertThat(thrown.is(seen)).as("%s is what was thrown", seen).isTrue();
    }

    /** An exception is a question without an answer; an error is one of the JVM, and passed on as it is. */
    private static void isNoAnswer(@Nullable Throwable seen, Thrown thrown) {
        if (seen == null || thrown.isError()) {
            isWhatWasThrown(seen, thrown);
        } else {
            assertThat(seen).isExactlyInstanceOf(LockStoreException.class).hasMessageContaining(Thrown.MESSAGE);
            isWhatWasThrown(seen.getCause(), thrown);
        }
    }

    private static <T> Callable<Throwable> failureOf(CompletableFuture<T> future) {
        return () -> future.handle((value, failure) -> failure).get();
    }

    static Stream<Arguments> faultsOfTries() {
        return faultsOf(Call.TRY, Call.AFTER_TRY, Call.LEASE_SPENT, Call.FENCING_TOKEN);
    }

    /** What a call left in the store is given back soon after it; until then the store has an answer for the next call. */
    @ParameterizedTest
    @MethodSource("faultsOfTries")
    void aTryThatThrowsIsNoGrantAndNoTaskRuns(Call call, Thrown thrown) throws Exception {
        DistributedLock lock = client.lock("a");
        DistributedReentrantLock view = lock.asLock();
        Duration wait = Duration.ofMillis(100);
        AtomicInteger runs = new AtomicInteger();
        store.always(call, thrown::raise);
        isNoAnswer(scene.failure("a try", lock::tryAcquire), thrown);
        scene.soonFree("a");
        isNoAnswer(scene.failure("a wait", () -> lock.tryAcquire(wait)), thrown);
        scene.soonFree("a");
        isNoAnswer(scene.failure("a task", () -> lock.tryCall(lease -> runs.incrementAndGet())), thrown);
        scene.soonFree("a");
        isNoAnswer(scene.failure("a view", view::tryLock), thrown);
        scene.soonFree("a");
        isNoAnswer(scene.attempt("a future", failureOf(lock.tryAcquireAsync(wait))), thrown);
        assertThat(runs).hasValue(0);
        int told = thrown.isError() ? 0 : 5;
        scene.pass("the listener is told of missing answers", () -> events.size() >= told);
        store.heal();
        scene.everythingWorks("a");
        assertThat(events).filteredOn("failed"::equals).hasSize(told);
    }

    static Stream<Arguments> faultsBesideTries() {
        return faultsOf(Call.CLAIM, Call.RETRY_AFTER);
    }

    /** These calls ask nothing, and so no answer is missing. */
    @ParameterizedTest
    @MethodSource("faultsBesideTries")
    void whatACallBesideTheQuestionThrowsIsPassedOn(Call call, Thrown thrown) throws Exception {
        Lease busy = scene.acquired(scene.other, "a");
        DistributedLock lock = client.lock("a");
        Duration wait = Duration.ofMillis(100);
        AtomicInteger runs = new AtomicInteger();
        store.always(call, thrown::raise);
        isWhatWasThrown(scene.failure("a wait", () -> lock.tryAcquire(wait)), thrown);
        isWhatWasThrown(scene.failure("an acquire", lock::acquire), thrown);
        isWhatWasThrown(scene.failure("a task", () -> lock.call(lease -> runs.incrementAndGet())), thrown);
        isWhatWasThrown(scene.attempt("a future", failureOf(lock.acquireAsync())), thrown);
        assertThat(runs).hasValue(0);
        assertThat(busy.release()).isTrue();
        store.heal();
        scene.everythingWorks("a");
    }

    static Stream<Arguments> faultsOfRenewals() {
        return faultsOf(Call.RENEW_ALL, Call.AFTER_RENEW_ALL, Call.RENEW, Call.AFTER_RENEW, Call.LEASE_SPENT);
    }

    @ParameterizedTest
    @MethodSource("faultsOfRenewals")
    void aLeaseWhoseRenewalsThrowIsHeldAtRiskAndRenewedWhenTheyDoNot(Call call, Thrown thrown) throws Exception {
        Lease lease = scene.acquired(client, "a").onLost(scene.losses::add);
        AtomicInteger atRisk = new AtomicInteger();
        lease.onAtRisk(left -> atRisk.incrementAndGet());
        int before = store.calls(call);
        store.always(call, thrown::raise);
        scene.ticker.advance(ErrorScene.LEASE.dividedBy(3).plusMillis(500));
        // Without more time: a busy machine may take long until the thread of renewals runs.
        await().until(() -> store.calls(call) > before);
        scene.pass("a renewal has thrown again", () -> store.calls(call) - before > 1);
        scene.pass("at risk", () -> atRisk.get() > 0 && events.contains("at risk"));
        assertThat(lease.isHeld()).isTrue();
        assertThat(events).contains("renewal unanswered");
        store.heal();
        scene.renewed(lease);
        assertThat(scene.losses).isEmpty();
        assertThat(lease.release()).isTrue();
        scene.everythingWorks("a");
    }

    @ParameterizedTest
    @MethodSource("faultsOfRenewals")
    void aLeaseWhoseRenewalsAllThrowIsLostAtItsEndAndItsTaskInterrupted(Call call, Thrown thrown) throws Exception {
        Lease lease = scene.acquired(client, "a").onLost(scene.losses::add);
        CountDownLatch entered = new CountDownLatch(1);
        BackgroundCall<Boolean> task =
                BackgroundCall.startAction(() -> client.lock("task").run(own -> {
                    entered.countDown();
                    never.await();
                }));
        entered.await();
        store.always(call, thrown::raise);
        scene.passFast("the loss is told", () -> !scene.losses.isEmpty());
        scene.passFast("the task has ended", task::isDone);
        assertThat(scene.losses).extracting(Loss::cause).containsExactly(LossCause.EXPIRED);
        assertThat(lease.release()).isFalse();
        assertThat(catchThrowable(lease::ensureHeld)).isInstanceOf(LockLostException.class);
        assertThat(task.failure())
                .isInstanceOf(LockLostException.class)
                .satisfies(lost ->
                        assertThat(lost.getSuppressed()).singleElement().isInstanceOf(InterruptedException.class));
        scene.soonFree("a");
        scene.soonFree("task");
        scene.everythingWorks("a", "task");
    }

    @ParameterizedTest
    @MethodSource("faultsOfRenewals")
    void anExtensionWhoseRenewalThrowsIsToldToBeShorterAndIsTriedAgain(Call call, Thrown thrown) throws Exception {
        Lease lease = scene.acquired(client, "a").onLost(scene.losses::add);
        Duration length = ErrorScene.LEASE.multipliedBy(3);
        store.always(call, thrown::raise);
        Duration extended = scene.attempt("an extension", () -> lease.extend(length));
        assertThat(extended).isBetween(Duration.ofSeconds(1), ErrorScene.LEASE);
        store.heal();
        scene.pass("extended", () -> lease.remaining().compareTo(ErrorScene.LEASE.multipliedBy(2)) > 0);
        assertThat(scene.losses).isEmpty();
        assertThat(lease.release()).isTrue();
        scene.soonFree("a");
    }

    private static void isUnconfirmed(Throwable seen, Thrown thrown) {
        assertThat(seen).isExactlyInstanceOf(LockReleaseException.class);
        isWhatWasThrown(seen.getCause(), thrown);
    }

    static Stream<Arguments> faultsOfReleases() {
        return faultsOf(Call.RELEASE, Call.AFTER_RELEASE);
    }

    @ParameterizedTest
    @MethodSource("faultsOfReleases")
    void whoeverReleasesIsToldThatItIsNotConfirmed(Call call, Thrown thrown) throws Exception {
        Lease lease = scene.acquired(client, "a");
        store.always(call, thrown::raise);
        isUnconfirmed(scene.failure("a release", lease::release), thrown);
        Throwable again = scene.failure("a close", () -> {
            lease.close();
            return true;
        });
        assertThat(again).isExactlyInstanceOf(LockReleaseException.class);
        Throwable task = scene.failure("a task", () -> client.lock("task").call(own -> "done"));
        isUnconfirmed(task, thrown);
        assertThat(((LockReleaseException) task).result()).contains("done");
        AtomicInteger inside = new AtomicInteger(1);
        isUnconfirmed(
                scene.failure("an unlock", () -> {
                    DistributedReentrantLock view = client.lock("view").asLock();
                    view.lock();
                    try {
                        view.unlock();
                    } finally {
                        inside.set(view.holdCount());
                    }
                    return true;
                }),
                thrown);
        assertThat(inside).as("hold count after it").hasValue(0);
        store.heal();
        for (String name : List.of("a", "task", "view")) {
            scene.soonFree(name);
        }
        scene.everythingWorks("a", "task", "view");
    }

    static Stream<Arguments> faultsOfShortenings() {
        return faultsOf(Call.RENEW, Call.AFTER_RENEW);
    }

    /** Until then a release makes the lease shorter in the store. */
    @ParameterizedTest
    @MethodSource("faultsOfShortenings")
    void aLockThatIsKeptForItsLeastHoldIsFreeAfterItAllTheSame(Call call, Thrown thrown) throws Exception {
        Duration least = Duration.ofSeconds(3);
        Lease lease = client.lock("a", ErrorScene.OPTIONS.withMinHold(least)).acquire();
        long granted = scene.ticker.nanos();
        store.always(call, thrown::raise);
        isUnconfirmed(scene.failure("a release", lease::release), thrown);
        store.heal();
        scene.pass(
                "free",
                () -> scene.other.lock("a").tryAcquire().map(Lease::release).orElse(false));
        assertThat(Duration.ofNanos(scene.ticker.nanos() - granted)).isBetween(least, least.multipliedBy(2));
        scene.everythingWorks("a");
    }

    static Stream<Arguments> faultsOfRefusals() {
        return faultsOf(Call.LOSS, Call.HOLDS_UNTIL_LEASE_ENDS);
    }

    @ParameterizedTest
    @MethodSource("faultsOfRefusals")
    void aLeaseThatTheStoreHasRefusedIsLostAtOnceIfItDoesNotSayMore(Call call, Thrown thrown) throws Exception {
        List<String> revocations = new CopyOnWriteArrayList<>();
        Lease lease = scene.acquired(client, "a")
                .onLost(scene.losses::add)
                .whenRevoked((own, reason) -> revocations.add(reason));
        assertThat(scene.other.lock("a").revoke("maintenance")).isTrue();
        store.always(call, thrown::raise);
        scene.pass("the loss is told", () -> !scene.losses.isEmpty());
        scene.pass("the loss is told to the client's listener", () -> !events.isEmpty());
        LossCause cause = call == Call.LOSS ? LossCause.EVICTED_OR_DELETED : LossCause.REVOKED;
        assertThat(scene.losses).extracting(Loss::cause).containsExactly(cause);
        assertThat(events).containsExactly("lost " + cause);
        assertThat(revocations).as("nobody is asked to end by himself").isEmpty();
        assertThat(catchThrowable(lease::close)).isInstanceOf(LockLostException.class);
        scene.soonFree("a");
        scene.everythingWorks("a");
    }

    @ParameterizedTest
    @EnumSource(Thrown.class)
    void aReleaseOfWhatIsGoneIsALossAlsoIfTheStoreDoesNotSayWhy(Thrown thrown) throws Exception {
        Lease lease = scene.acquired(client, "a").onLost(scene.losses::add);
        store.always(Call.LOSS, thrown::raise);
        scene.memory.delete("a");
        assertThat(lease.release()).isFalse();
        assertThat(catchThrowable(lease::ensureHeld)).isInstanceOf(LockLostException.class);
        scene.pass("the loss is told", () -> scene.losses.size() == 1);
        scene.everythingWorks("a");
    }

    static Stream<Arguments> faultsOfQuestions() {
        return faultsOf(Call.INSPECT, Call.LIST, Call.REVOKE, Call.AFTER_REVOKE);
    }

    private List<Callable<?>> questions(Call call) {
        DistributedLock lock = client.lock("a");
        return switch (call) {
            case INSPECT -> List.of(lock::holder, client::ping);
            case LIST ->
                List.of(() -> client.holders("").toList(), () -> client.holders("")
                        .findAny());
            default -> List.of(() -> lock.revoke("maintenance"), () -> lock.revokeNow("maintenance"));
        };
    }

    @ParameterizedTest
    @MethodSource("faultsOfQuestions")
    void aQuestionThatThrowsIsAskedOnceAndHasNoAnswer(Call call, Thrown thrown) throws Exception {
        Lease theirs = scene.acquired(scene.other, "a");
        Lease mine = scene.acquired(client, "mine");
        store.always(call, thrown::raise);
        List<Callable<?>> questions = questions(call);
        for (Callable<?> question : questions) {
            isNoAnswer(scene.failure("a question", question), thrown);
        }
        assertThat(store.calls(call)).isEqualTo(questions.size());
        scene.toRenewal(mine);
        assertThat(mine.release()).isTrue();
        store.heal();
        for (Callable<?> question : questions) {
            assertThat(scene.attempt("the question again", question)).isNotNull();
        }
        scene.attempt("a release, maybe of what was revoked", theirs::release);
        scene.everythingWorks("a", "mine");
    }

    /** Whether it was revoked is not known, and the store tells at the next renewal. */
    @ParameterizedTest
    @EnumSource(Thrown.class)
    void aHolderLearnsOfARevocationThatThrewWhenItHadActed(Thrown thrown) throws Exception {
        scene.acquired(client, "a").onLost(scene.losses::add);
        store.plan(Call.AFTER_REVOKE, thrown::make);
        isNoAnswer(scene.failure("a revocation", () -> client.lock("a").revokeNow("maintenance")), thrown);
        scene.pass("the loss is told", () -> !scene.losses.isEmpty());
        assertThat(scene.losses).extracting(Loss::cause).containsExactly(LossCause.REVOKED);
        scene.soonFree("a");
        scene.everythingWorks("a");
    }

    static Stream<Arguments> faultsOfPings() {
        return faultsOf(Call.CLAIM, Call.TRY, Call.AFTER_TRY, Call.RELEASE, Call.AFTER_RELEASE);
    }

    @ParameterizedTest
    @MethodSource("faultsOfPings")
    void aPingThatAsksByLockingKeepsTheInterruptWhateverIsThrown(Call call, Thrown thrown) throws Exception {
        store.always(Call.INSPECT, () -> {
            throw new UnsupportedOperationException("this store cannot tell who holds a lock");
        });
        store.always(call, thrown::raise);
        AtomicBoolean interrupted = new AtomicBoolean();
        Throwable seen = scene.failure("a ping", () -> {
            Thread.currentThread().interrupt();
            try {
                return client.ping();
            } finally {
                interrupted.set(Thread.interrupted());
            }
        });
        isNoAnswer(seen, thrown);
        assertThat(interrupted).as("the flag").isTrue();
        scene.everythingWorks("a");
    }

    static Stream<Arguments> faultsOfDeclarations() {
        return faultsOf(Call.FEATURES, Call.SAFETY_LEVEL, Call.LEASE_BOUNDS);
    }

    @ParameterizedTest
    @MethodSource("faultsOfDeclarations")
    void aBackendThatDoesNotSayWhatItCanDoIsClosedAgain(Call call, Thrown thrown) {
        ThrowingStore unfit = new ThrowingStore(new MemoryBackend(scene.memory));
        unfit.always(call, thrown::raise);
        unfit.always(Call.CLOSE, () -> {
            throw new IllegalArgumentException("not closed");
        });
        Throwable seen = catchThrowable(LockClient.builder(unfit).atLeast(SafetyLevel.BEST_EFFORT)::build);
        isWhatWasThrown(seen, thrown);
        assertThat(unfit.calls(Call.CLOSE)).isEqualTo(1);
        assertThat(seen.getSuppressed())
                .singleElement()
                .isInstanceOf(IllegalArgumentException.class)
                .extracting(Throwable::getMessage)
                .isEqualTo("not closed");
    }

    private List<Callable<?>> users(Call call) {
        return switch (call) {
            case FEATURES -> List.of(client::features, client::toString, () -> client.holders(""));
            case SAFETY_LEVEL -> List.of(client::safetyLevel, client::toString);
            default -> List.of(client::leaseBounds, () -> client.lock("b"));
        };
    }

    @ParameterizedTest
    @MethodSource("faultsOfDeclarations")
    void onlyWhoeverNeedsADeclarationSeesThatItThrows(Call call, Thrown thrown) throws Exception {
        DistributedLock known = client.lock("a");
        store.always(call, thrown::raise);
        for (Callable<?> user : users(call)) {
            isWhatWasThrown(scene.failure("a declaration", user), thrown);
        }
        Lease lease = known.acquire();
        scene.toRenewal(lease);
        assertThat(lease.release()).isTrue();
        scene.soonFree("a");
        scene.everythingWorks("a");
    }

    static Stream<Arguments> allFaults() {
        return ErrorsTest.faults();
    }

    /** What a client has when it is closed: a lease, a call that waits, and a future that waits. */
    private final class AtTheEnd {
        private final Lease lease = scene.acquired(client, "a").onLost(scene.losses::add);
        private final Lease kept = client.lock("kept", ErrorScene.OPTIONS.withMinHold(Duration.ofSeconds(3)))
                .acquire();
        private final Lease busy = scene.acquired(scene.other, "busy");
        private final BackgroundCall<Lease> waiting =
                BackgroundCall.start(client.lock("busy")::acquire).awaitWaiting();
        private final CompletableFuture<Lease> future = client.lock("busy").acquireAsync();

        private AtTheEnd() throws InterruptedException {}

        private void hasEnded() throws Exception {
            hasEnded(LossCause.CLIENT_CLOSED, failure -> false);
        }

        /** The first step of the future may have been under way, and may have asked the store after the call in line before it ended. */
        private void hasEnded(LossCause cause, Predicate<Throwable> orTheFutureBy) throws Exception {
            assertThat(List.of(lease, kept)).noneMatch(Lease::isHeld);
            scene.passFast("the loss is told", () -> !scene.losses.isEmpty());
            assertThat(scene.losses).extracting(Loss::cause).containsExactly(cause);
            assertThat(waiting.failure()).isInstanceOf(LockClosedException.class);
            assertThat(failureOf(future).call())
                    .matches(failure -> failure instanceof LockClosedException || orTheFutureBy.test(failure));
            assertThat(catchThrowable(client::ping)).isInstanceOf(LockClosedException.class);
            assertThat(busy.release()).isTrue();
            BackgroundCall.startAction(client::close).get();
            scene.ticker.advance(ErrorScene.LEASE);
            for (String name : List.of("a", "kept", "busy")) {
                assertThat(scene.acquired(scene.other, name).release()).isTrue();
            }
        }
    }

    /** A lease whose claim does not say for how long it counts is lost before that. */
    @ParameterizedTest
    @MethodSource("allFaults")
    void whateverTheStoreThrowsAClientCanBeClosed(Call call, Thrown thrown) throws Exception {
        AtTheEnd ends = new AtTheEnd();
        store.always(call, thrown::raise);
        BackgroundCall.startAction(client::close).get();
        LossCause cause = call == Call.RELIABLE_NANOS ? LossCause.EVICTED_OR_DELETED : LossCause.CLIENT_CLOSED;
        ends.hasEnded(cause, thrown::is);
    }

    @ParameterizedTest
    @EnumSource(Thrown.class)
    void aBackendThatCannotBeClosedKeepsNothingElseFromEnding(Thrown thrown) throws Exception {
        AtTheEnd ends = new AtTheEnd();
        store.always(Call.CLOSE, thrown::raise);
        isWhatWasThrown(BackgroundCall.startAction(client::close).failure(), thrown);
        scene.soonFree("a");
        ends.hasEnded();
    }
}
