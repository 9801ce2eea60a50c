// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd.queue;

import io.mortise.lock.etcd.gateway.KeyValue;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Observes the first claim of a queue that does not take the lock, as one does that has died. Those behind it give it up after a
 * while, the nearest first, so that one that lives keeps its place. Of one claim, and not thread-safe.
 */
final class IdleHead {
    /** When the lock can be had, whoever can have it is told, and takes it with one request. */
    static final Duration PATIENCE = Duration.ofMillis(600);

    private static final Duration MORE_FOR_EACH = Duration.ofMillis(40);

    private @Nullable KeyValue head;
    private long since;
    private Duration patience = PATIENCE;

    /** Sees which key is the first now, and how many are before the observer's own. */
    void see(KeyValue first, int before) {
        if (Entry.read(first.value()).granted()) {
            head = null;
            return;
        }
        if (!first.equals(head)) {
            since = System.nanoTime();
        }
        head = first;
        patience = PATIENCE.plus(MORE_FOR_EACH.multipliedBy(before));
    }

    /** For how much longer the observer is patient; null if the lock is held. */
    @Nullable
    Duration left() {
        return head == null ? null : patience.minusNanos(System.nanoTime() - since);
    }

    boolean isGivenUp() {
        Duration left = left();
        return left != null && (left.isNegative() || left.isZero());
    }
}
