// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.history;

import io.mortise.lock.faults.scenario.Promise;
import org.jspecify.annotations.Nullable;

/**
 * A fault that happened.
 *
 * @param kind what it was
 * @param begin before it was caused
 * @param healed when what caused it had ended
 * @param recovered when the store had answered again
 * @param promise what does not hold because of it; null if all does
 */
public record FaultWindow(
        String kind,
        long begin,
        long healed,
        long recovered,
        @Nullable Promise promise) {}
