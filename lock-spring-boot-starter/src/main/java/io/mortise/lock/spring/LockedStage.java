// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockReleaseException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** One call of a method that returns a stage: the lock is held until that stage is complete. */
final class LockedStage {
    private final DistributedLock lock;
    private final MethodInvocation invocation;

    /**
     * Of one call.
     *
     * @param invocation can be made on any thread
     */
    LockedStage(DistributedLock lock, MethodInvocation invocation) {
        this.lock = lock;
        this.invocation = invocation;
    }

    /** Returns at once. Whoever cancels the result ends the wait for the lock, and not a method that has begun. */
    CompletableFuture<@Nullable Object> start() {
        CompletableFuture<Lease> acquired = lock.acquireAsync();
        CompletableFuture<@Nullable Object> result = acquired.thenCompose(this::under);
        CompletableFuture<?> unused = result.whenComplete((value, failure) -> {
            if (result.isCancelled()) {
                acquired.cancel(true);
            }
        });
        return result;
    }

    private CompletionStage<@Nullable Object> under(Lease lease) {
        CompletionStage<?> stage;
        try {
            stage = (CompletionStage<?>) Objects.requireNonNull(
                    CurrentLease.during(lease, () -> LockedMethodInterceptor.proceed(invocation)),
                    () -> invocation.getMethod() + " returned null instead of a stage");
        } catch (Throwable failure) {
            stage = CompletableFuture.failedFuture(failure);
        }
        // The release asks the store, and must not hold up the thread that completed the stage.
        return stage.handleAsync((value, failure) -> end(lease, value, failure));
    }

    /** As {@link DistributedLock#call} ends: a loss matters more than what the method did, and that more than a late release. */
    private @Nullable Object end(Lease lease, @Nullable Object value, @Nullable Throwable wrapped) {
        Throwable failure =
                wrapped instanceof CompletionException && wrapped.getCause() != null ? wrapped.getCause() : wrapped;
        try {
            lease.close();
        } catch (LockLostException lost) {
            LockLostException told = new LockLostException(lock.name(), lost.loss(), value);
            if (failure != null) {
                told.addSuppressed(failure);
            }
            throw told;
        } catch (LockReleaseException unanswered) {
            if (failure == null) {
                throw new LockReleaseException(
                        lock.name(), String.valueOf(unanswered.getMessage()), unanswered.getCause(), value);
            }
            failure.addSuppressed(unanswered);
        }
        if (failure != null) {
            throw new CompletionException(failure);
        }
        return value;
    }
}
