// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class WorkQueueTest {
    private final WorkQueue queue = new WorkQueue(body -> Environment.system().start("worker", body), 1, "a test");

    private static WorkQueue.Task task(Runnable body) {
        return new WorkQueue.Task() {
            @Override
            protected void run() {
                body.run();
            }
        };
    }

    @Test
    void anInterruptOfOneTaskDoesNotReachTheNextOnItsThread() throws Exception {
        CompletableFuture<Thread> first = new CompletableFuture<>();
        CompletableFuture<Thread> second = new CompletableFuture<>();
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        queue.run(task(() -> {
            queue.run(task(() -> {
                second.complete(Thread.currentThread());
                interrupted.complete(Thread.currentThread().isInterrupted());
            }));
            Thread.currentThread().interrupt();
            first.complete(Thread.currentThread());
        }));
        assertThat(interrupted.get(10, TimeUnit.SECONDS)).isFalse();
        assertThat(second.join()).isSameAs(first.join());
    }
}
