// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.engine.local.EventDispatcher;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A future that runs a blocking call on another thread. Cancelling interrupts the call, and a result that comes too late is
 * undone. Thread-safe.
 */
final class AsyncCall<T> extends CompletableFuture<T> {
    private final Callable<T> call;
    private final Consumer<T> undo;
    private @Nullable Thread runner;

    AsyncCall(Callable<T> call, Consumer<T> undo) {
        this.call = call;
        this.undo = undo;
    }

    AsyncCall<T> start(Executor executor) {
        try {
            executor.execute(this::run);
        } catch (RejectedExecutionException refused) {
            completeExceptionally(refused);
        }
        return this;
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
        boolean cancelled = super.cancel(mayInterrupt);
        synchronized (this) {
            if (cancelled && runner != null) {
                runner.interrupt();
            }
        }
        return cancelled;
    }

    @SuppressWarnings("CatchingUnchecked")
    private void run() {
        synchronized (this) {
            if (isDone()) {
                return;
            }
            runner = Thread.currentThread();
        }
        try {
            T result = call.call();
            if (!complete(result)) {
                EventDispatcher.guarded(() -> undo.accept(result));
            }
        } catch (Throwable failure) {
            completeExceptionally(failure);
        } finally {
            synchronized (this) {
                runner = null;
            }
            if (isCancelled()) {
                // Our own interrupt must not reach the thread's next task.
                Thread.interrupted();
            }
        }
    }
}
