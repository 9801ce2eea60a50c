// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.member;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.spi.AsyncLockBackend;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreIncarnation;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Represents one store of the quorum, and is the only place that calls that store. A store that can be asked without a thread
 * that waits is asked so; for others each member has threads of its own, so that one that hangs delays no other. Thread-safe.
 */
public final class Member {
    private static final Logger LOG = System.getLogger(Member.class.getName());

    /** A question to this store, which waits for the answer no longer than {@code atMost}. */
    public interface BlockingQuestion<T> {
        T ask(Duration atMost) throws InterruptedException;
    }

    /** A question to this store, which is answered within {@code atMost}. */
    interface Question<T> {
        CompletionStage<T> ask(Duration atMost);
    }

    private final String name;
    private final LockBackend backend;
    private final AsyncLockBackend store;
    private final QuestionThreads threads;

    /** The answers that are still to come, each by a key of its own. */
    private final Map<Object, CompletableFuture<?>> open = new ConcurrentHashMap<>();

    private final Map<String, CompletableFuture<?>> releases = new ConcurrentHashMap<>();
    private volatile boolean failing;
    private volatile boolean refusing;
    private volatile boolean answered;
    private volatile @Nullable StoreIncarnation incarnation;
    private volatile @Nullable String firstIncarnation;
    private long recordedAt;

    public Member(String name, LockBackend backend) {
        this.name = name;
        this.backend = backend;
        threads = new QuestionThreads(name);
        store = backend instanceof AsyncLockBackend async ? async : new ThreadedBackend(backend, threads);
    }

    /** The name in messages; without secrets. */
    public String name() {
        return name;
    }

    /** The store's client, for what needs no answer from the store. */
    public LockBackend backend() {
        return backend;
    }

    /** The store's client, as it is asked for locks. */
    AsyncLockBackend store() {
        return store;
    }

    /** Whether the last question that ended had no answer. */
    public boolean isFailing() {
        return failing;
    }

    /** Whether any question has ended yet, with an answer or without. */
    public boolean hasAnsweredOrFailed() {
        return answered || failing;
    }

    /** The last incarnation of the store's process that answered; null if none has answered yet or the store does not tell. */
    public @Nullable StoreIncarnation incarnation() {
        return incarnation;
    }

    /** The ID of the first incarnation that answered this client; null if none has answered yet or the store does not tell. */
    public @Nullable String firstIncarnation() {
        return firstIncarnation;
    }

    /**
     * Records the incarnation that has answered and corrects its age. A server counts its age by its own clock, which may have been
     * set since. So the least age that an incarnation ever told is believed, and an incarnation that claims to have started before its
     * predecessor was last heard of counts as started just now.
     *
     * @return the incarnation with the age to believe
     */
    public synchronized StoreIncarnation record(StoreIncarnation told) {
        StoreIncarnation before = incarnation;
        long startedBefore = told.startedBefore();
        if (firstIncarnation == null) {
            firstIncarnation = told.id();
        }
        if (before != null && before.id().equals(told.id())) {
            startedBefore = before.startedBefore() - startedBefore > 0 ? before.startedBefore() : startedBefore;
        } else if (before != null && startedBefore - recordedAt < 0) {
            startedBefore = System.nanoTime();
        }
        StoreIncarnation believed = new StoreIncarnation(told.id(), startedBefore, told.clockAheadMicros());
        incarnation = believed;
        recordedAt = System.nanoTime();
        return believed;
    }

    /** Asks which incarnation of the store answers, and records it. */
    public CompletableFuture<?> meet(Duration atMost) {
        Claim none = backend.claim(
                new ClaimRequest(
                        "", MemberClaim.randomOwner(), "", backend.leaseBounds().longest(), false, 0, 1),
                () -> {});
        return askOnThread(atMost, left -> none.storeIncarnation(left).map(this::record));
    }

    /** Asks the store what needs a thread that waits, as what operators ask does. */
    public <T> CompletableFuture<T> askOnThread(Duration atMost, BlockingQuestion<T> question) {
        return watched(threads.ask(atMost, question::ask));
    }

    /** Asks the store without a thread that waits, where the store can be asked so. */
    <T> CompletableFuture<T> ask(Duration atMost, Question<T> question) {
        return askBefore(System.nanoTime() + atMost.toNanos(), question);
    }

    /** Asks the store about a lock, once the releases of that lock have ended that this client has under way here. */
    <T> CompletableFuture<T> askAfterReleases(String lock, Duration atMost, Question<T> question) {
        CompletableFuture<?> release = releases.get(lock);
        return release == null ? ask(atMost, question) : askAfter(release, atMost, question);
    }

    /** Asks the store once an earlier question has ended; that time counts, too. */
    <T> CompletableFuture<T> askAfter(CompletableFuture<?> earlier, Duration atMost, Question<T> question) {
        long end = System.nanoTime() + atMost.toNanos();
        return earlier.handle((x, failure) -> failure).thenCompose(x -> askBefore(end, question));
    }

    /** Looks whether a lock seems to be held here. */
    public CompletableFuture<Optional<Duration>> look(String lock, Duration atMost) {
        return ask(atMost, left -> store.look(lock, left));
    }

    /** Makes later questions about a lock wait until a release has ended. */
    <T> CompletableFuture<T> trackRelease(String lock, CompletableFuture<T> release) {
        if (!release.isDone()) {
            releases.put(lock, release);
            return release.whenComplete((x, failure) -> releases.remove(lock, release));
        }
        return release;
    }

    private <T> CompletableFuture<T> askBefore(long end, Question<T> question) {
        long left = end - System.nanoTime();
        if (left <= 0) {
            return CompletableFuture.failedFuture(tooBusy());
        }
        try {
            return watched(question.ask(Duration.ofNanos(left)));
        } catch (Throwable failure) {
            return watched(CompletableFuture.failedFuture(failure));
        }
    }

    static BackendException tooBusy() {
        return new BackendException("was busy with earlier questions for too long", null);
    }

    /** Notes how a question ends, before anybody else learns it. */
    private <T> CompletableFuture<T> watched(CompletionStage<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Object key = new Object();
        open.put(key, answer);
        question.whenComplete((told, failure) -> {
            try {
                note(failure);
            } finally {
                open.remove(key);
                if (failure == null) {
                    answer.complete(told);
                } else {
                    answer.completeExceptionally(cause(failure));
                }
            }
        });
        return answer;
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private void note(@Nullable Throwable failure) {
        if (failure == null) {
            failing = false;
            refusing = false;
            answered = true;
        } else {
            failing = true;
            warnOfRefusal(cause(failure));
        }
    }

    /** The quorum goes on with the others; nobody else may tell that it has one member less. */
    private void warnOfRefusal(Throwable failure) {
        boolean before = refusing;
        refusing = isRefusal(failure);
        if (refusing && !before) {
            LOG.log(
                    Level.WARNING,
                    "the member {0} of a quorum refuses, and has no vote: {1}",
                    name,
                    String.valueOf(failure.getMessage()));
        }
    }

    /** Whether a store said that it will not, however often it is asked. */
    public static boolean isRefusal(Throwable failure) {
        return failure instanceof LockConfigurationException
                || (failure instanceof BackendException ended && ended.kind() == BackendException.Kind.REFUSED);
    }

    /** Waits for all questions, also those that follow from others. */
    public void awaitIdle(long deadline) throws InterruptedException {
        threads.awaitIdle(deadline);
        while (!open.isEmpty() && deadline - System.nanoTime() > 0) {
            CompletableFuture<?>[] left = open.values().toArray(CompletableFuture[]::new);
            try {
                CompletableFuture.allOf(left).get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (ExecutionException | TimeoutException ended) {
                // That they have ended is all that counts.
            }
        }
    }

    public void close() {
        threads.shutdown();
        try {
            backend.close();
        } finally {
            threads.shutdownNow();
        }
    }
}
