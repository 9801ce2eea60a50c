// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.session;

import io.mortise.lock.spi.BackendException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.KeeperException;

/** How long one call may still take, and whether an interrupt ends it. Immutable. */
public final class Deadline {
    private final Duration atMost;
    private final long start = System.nanoTime();
    private final boolean interruptible;

    private Deadline(Duration atMost, boolean interruptible) {
        this.atMost = atMost;
        this.interruptible = interruptible;
    }

    /** For a call that an interrupt ends. */
    public static Deadline of(Duration atMost) {
        return new Deadline(atMost, true);
    }

    /** For a call that leaves an interrupt for later. */
    public static Deadline calm(Duration atMost) {
        return new Deadline(atMost, false);
    }

    /** When the call began. */
    public long start() {
        return start;
    }

    public long leftNanos() {
        return atMost.toNanos() - (System.nanoTime() - start);
    }

    public boolean isOver() {
        return leftNanos() <= 0;
    }

    /**
     * Waits for an answer.
     *
     * @throws KeeperException if the answer is this
     * @throws BackendException if there is none in time; its end is that of the request
     * @throws InterruptedException if the thread is interrupted before, and this is not calm
     */
    public <T> T await(CompletableFuture<T> answer) throws KeeperException, InterruptedException {
        if (!await(answer, leftNanos())) {
            throw new BackendException(
                    "ZooKeeper did not answer within " + atMost.toMillis() + " ms",
                    null,
                    answer.isDone() ? null : answer);
        }
        try {
            return answer.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof KeeperException failure) {
                throw failure;
            }
            throw ZooKeeperFailures.unanswered(failed.getCause() == null ? failed : failed.getCause());
        }
    }

    /** Waits for an answer and for a later one, so that this thread is woken once: answers come in the order of requests. */
    public <T> T await(CompletableFuture<T> answer, CompletableFuture<?> last)
            throws KeeperException, InterruptedException {
        await(last, leftNanos());
        return await(answer);
    }

    /** Lets some time pass, but not more than is left. */
    public void pause(long nanos) throws InterruptedException {
        await(new CompletableFuture<>(), nanos);
    }

    /** Waits until something has ended, in whatever way, or some time has passed; answers whether it has. */
    public boolean await(CompletableFuture<?> end, long atMostNanos) throws InterruptedException {
        long until = System.nanoTime() + Math.min(atMostNanos, leftNanos());
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    end.get(Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS);
                    return true;
                } catch (ExecutionException ended) {
                    return true;
                } catch (TimeoutException late) {
                    return end.isDone();
                } catch (InterruptedException now) {
                    if (interruptible) {
                        throw now;
                    }
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
