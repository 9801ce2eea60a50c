// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * For tests of code that locks. {@link io.mortise.lock.testing.ManualTicker} drives time by hand, and
 * {@link io.mortise.lock.testing.LossyBackend} wraps any backend and loses or delays its requests and replies. The store
 * beside them is usually {@link io.mortise.lock.memory.MemoryStore}. {@link io.mortise.lock.testing.ProcessSignals} freezes
 * processes.
 */
@NullMarked
package io.mortise.lock.testing;

import org.jspecify.annotations.NullMarked;
