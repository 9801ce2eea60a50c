// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.claims;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** When a refused claim looks again by itself. */
final class RetryDelay {
    /** How often a waiter looks although nobody called it: messages may be lost. */
    private static final Duration LONGEST = Duration.ofSeconds(15);

    private static final Duration SHORTEST_POLL = Duration.ofMillis(50);

    private RetryDelay() {}

    /** As the server says; a negative number means that it does not know. */
    static Duration of(long millis) {
        return millis < 0 || millis > LONGEST.toMillis() ? LONGEST : Duration.ofMillis(millis);
    }

    /** As long as nobody can call this client, it asks itself. */
    static Duration poll(@Nullable Duration untilFree) {
        Duration pause = SHORTEST_POLL.plusMillis(ThreadLocalRandom.current().nextLong(SHORTEST_POLL.toMillis()));
        return untilFree == null || untilFree.compareTo(pause) > 0 ? pause : untilFree;
    }
}
