// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.command;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.LockHolder;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks the store who holds a lock, for a sentence that is also right without the answer. */
final class HolderQuestion {
    private static final long PATIENCE_MILLIS = 500;

    private HolderQuestion() {}

    /** The holder if the store tells it soon; empty if nobody holds the lock any more, or if the question failed. */
    static Optional<LockHolder> ask(DistributedLock lock) {
        CompletableFuture<Optional<LockHolder>> answer = new CompletableFuture<>();
        Thread asking = new Thread(() -> answer.completeAsync(lock::holder, Runnable::run), "mortise-holder-question");
        asking.setDaemon(true);
        asking.start();
        try {
            return answer.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException notTold) {
            return Optional.empty();
        } catch (InterruptedException signal) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
