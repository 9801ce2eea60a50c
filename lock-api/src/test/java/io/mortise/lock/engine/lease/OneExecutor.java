// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import io.mortise.lock.LockListener;
import io.mortise.lock.Ticker;
import io.mortise.lock.engine.local.Environment;
import io.mortise.lock.engine.local.EventDispatcher;
import io.mortise.lock.engine.local.WorkQueue;
import io.mortise.lock.spi.LockBackend;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;

/** Makes what the leases of a client need, where one executor runs all that is not the caller's or the timer's. */
public final class OneExecutor {
    private OneExecutor() {}

    public static LeaseServices services(
            LockBackend store, Ticker ticker, Executor executor, WorkQueue steps, LockListener... listeners) {
        return LeaseServices.of(
                store,
                Environment.system(),
                ticker,
                "memory:",
                Duration.ofSeconds(2),
                0.01,
                new EventDispatcher(List.of(listeners), executor),
                executor,
                executor,
                new WorkQueue(executor, 1, "an interrupt"),
                steps);
    }
}
