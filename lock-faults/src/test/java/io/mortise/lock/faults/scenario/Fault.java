// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.scenario;

import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Something that can happen to a store.
 *
 * @param kind its name in the report
 * @param cause makes it happen; the random numbers say to which server
 * @param longestMillis how long it lasts at most before it is healed
 * @param promise what does not hold because of it; null if all does
 */
public record Fault(
        String kind,
        Cause cause,
        int longestMillis,
        @Nullable Promise promise) {
    /** Causes the fault and answers what heals it. */
    public interface Cause {
        Step by(Random random) throws Exception;
    }

    /** A step that may fail. */
    public interface Step {
        void take() throws Exception;
    }

    static Fault of(String kind, Cause cause) {
        return new Fault(kind, cause, 5_000, null);
    }

    Fault atMost(int millis) {
        return new Fault(kind, cause, millis, promise);
    }

    Fault with(Promise wanted) {
        return new Fault(kind, cause, longestMillis, wanted);
    }
}
