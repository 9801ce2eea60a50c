// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.member;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Secrets;
import io.mortise.lock.spi.StoreIncarnation;
import io.mortise.lock.spi.support.DaemonExecutor;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Represents one store of the quorum, and is the only place that calls that store. Each member has threads of its own,
 * so that one that hangs delays no other. Thread-safe.
 */
public final class Member {
    private static final Logger LOG = System.getLogger(Member.class.getName());
    private static final int MOST_THREADS = 8;

    /** A question to this store, which waits for the answer no longer than {@code atMost}. */
    public interface Question<T> {
        T ask(Duration atMost) throws InterruptedException;
    }

    private final String name;
    private final LockBackend backend;
    private final DaemonExecutor threads;
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
        threads = new DaemonExecutor("lock-redlock " + name, MOST_THREADS);
    }

    /** The name in messages; without secrets. */
    public String name() {
        return name;
    }

    /** The store's client, for what needs no answer from the store. */
    public LockBackend backend() {
        return backend;
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
                new ClaimRequest("", MemberClaim.randomOwner(), "", backend.leaseBounds().longest(), false, 0, 1), () -> {});
        return ask(atMost, left -> none.storeIncarnation(left).map(this::record));
    }

    /** Asks the store on another thread, unless the question waits for that thread longer than {@code atMost}. */
    public <T> CompletableFuture<T> ask(Duration atMost, Question<T> question) {
        return askBefore(System.nanoTime() + atMost.toNanos(), question);
    }

    /** Asks the store about a lock, once the releases of that lock have ended that this client has under way here. */
    <T> CompletableFuture<T> askAfterReleases(String lock, Duration atMost, Question<T> question) {
        CompletableFuture<?> release = releases.get(lock);
        return release == null ? ask(atMost, question) : askAfter(release, atMost, question);
    }

    /** Asks the store once an earlier question has ended; that time counts, too. */
    public <T> CompletableFuture<T> askAfter(CompletableFuture<?> earlier, Duration atMost, Question<T> question) {
        long end = System.nanoTime() + atMost.toNanos();
        return earlier.handle((x, failure) -> failure).thenCompose(x -> askBefore(end, question));
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
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            threads.execute(() -> answer(question, end, answer));
        } catch (RejectedExecutionException closed) {
            answer.completeExceptionally(BackendException.closed("the quorum"));
        }
        return answer;
    }

    private <T> void answer(Question<T> question, long end, CompletableFuture<T> answer) {
        long left = end - System.nanoTime();
        if (left <= 0) {
            answer.completeExceptionally(new BackendException("was busy with earlier questions for too long", null));
            return;
        }
        try {
            T told = question.ask(Duration.ofNanos(left));
            failing = false;
            refusing = false;
            answered = true;
            answer.complete(told);
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            answer.completeExceptionally(new BackendException("this client of the quorum is closing", closing));
        } catch (Throwable failure) {
            failing = true;
            warnOfRefusal(failure);
            answer.completeExceptionally(failure);
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
                    Secrets.mask(String.valueOf(failure.getMessage())));
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
