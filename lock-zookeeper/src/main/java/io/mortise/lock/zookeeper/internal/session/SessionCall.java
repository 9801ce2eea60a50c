// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.session;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.support.CallDeadline;
import io.mortise.lock.spi.support.Moment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.zookeeper.KeeperException;

/**
 * One call in one session: waits for the answers to its requests until its deadline. For the calling thread alone.
 *
 * @param asked when the call began, before anything was sent
 */
public record SessionCall(Session session, CallDeadline deadline, Moment asked) {
    /** What a call does. Begun again, in the same session or the next, when the connection breaks. */
    @FunctionalInterface
    public interface Body<T> {
        T run(SessionCall call) throws KeeperException, InterruptedException;
    }

    /**
     * Waits for an answer.
     *
     * @throws BackendException if there is none in time; its end is that of the request
     */
    public <T> T await(CompletableFuture<T> answer) throws KeeperException, InterruptedException {
        try {
            return deadline.await(answer);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof KeeperException failure) {
                throw failure;
            }
            throw ZooKeeperFailures.CLASSIFIER.exceptionFor(failed);
        }
    }

    /** Waits for an answer and for a later one, so that this thread is woken once: answers come in the order of requests. */
    public <T> T await(CompletableFuture<T> answer, CompletableFuture<?> last)
            throws KeeperException, InterruptedException {
        deadline.awaitEnd(last);
        return await(answer);
    }
}
