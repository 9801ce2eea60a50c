// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring.boot;

import io.mortise.lock.LockClient;
import java.time.Duration;
import org.springframework.context.SmartLifecycle;

/**
 * Closes the client when the application ends: after the web server and the schedulers, which begin work under locks, and before the
 * connections that it uses. Waits for work that is under way.
 */
final class LockClientLifecycle implements SmartLifecycle {
    private final LockClient client;
    private final Duration grace;
    private volatile boolean running;

    LockClientLifecycle(LockClient client, Duration grace) {
        this.client = client;
        this.grace = grace;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        client.close(grace);
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Later than all that has no phase of its own, which have the highest, and stop first. */
    @Override
    public int getPhase() {
        return 0;
    }
}
