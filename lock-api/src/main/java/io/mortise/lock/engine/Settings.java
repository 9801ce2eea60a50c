// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.LockListener;
import io.mortise.lock.LockOptions;
import io.mortise.lock.Ticker;
import io.mortise.lock.engine.local.Environment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The settings that a client was built with.
 *
 * @param store the store, for people; without secrets
 * @param options for locks that have none of their own
 * @param executor what completes futures; null for the engine's own threads
 * @param callTimeout how long one question to the store may take
 * @param clockDrift fraction of each lease that is subtracted for clock drift, such as 0.01
 */
public record Settings(
        String store,
        LockOptions options,
        Environment environment,
        Ticker ticker,
        @Nullable Executor executor,
        Duration callTimeout,
        double clockDrift,
        List<LockListener> listeners) {}
