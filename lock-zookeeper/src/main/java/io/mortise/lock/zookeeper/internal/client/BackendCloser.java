// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.client;

import io.mortise.lock.zookeeper.internal.session.Deadline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.curator.framework.CuratorFramework;
import org.jspecify.annotations.Nullable;

/** How a backend closes. Thread-safe. */
public final class BackendCloser {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final @Nullable CuratorFramework own;
    private boolean ended;

    /**
     * Made with the client to close.
     *
     * @param own null to leave the application's client open
     */
    public BackendCloser(@Nullable CuratorFramework own) {
        this.own = own;
    }

    /** Closes, once, and waits for a moment. */
    public synchronized void end(ClientContext ensemble) {
        if (ended) {
            return;
        }
        ended = true;
        CompletableFuture<?> deleted = ensemble.close();
        try {
            Deadline.calm(PATIENCE).await(own == null ? deleted : closed(own), Long.MAX_VALUE);
        } catch (InterruptedException impossible) {
            throw new IllegalStateException("a calm wait was interrupted", impossible);
        }
    }

    /** On a thread of its own: while a server does not answer, closing a session takes most of the session's time-out. */
    private static CompletableFuture<Void> closed(CuratorFramework client) {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        Thread thread = new Thread(
                null,
                () -> {
                    client.close();
                    closed.complete(null);
                },
                "lock-zookeeper-closing",
                0,
                false);
        thread.setDaemon(true);
        thread.start();
        return closed;
    }
}
