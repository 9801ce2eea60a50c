// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.stress;

/** One claim that the store has granted, as the engine was told. Times in nanoseconds. Thread-safe. */
final class Grant {
    final int client;
    final long token;
    final long tokens;
    final long asked;
    private volatile long confirmedUntil;

    Grant(int client, long token, long tokens, long asked, long confirmedUntil) {
        this.client = client;
        this.token = token;
        this.tokens = tokens;
        this.asked = asked;
        this.confirmedUntil = confirmedUntil;
    }

    void confirm(long until) {
        confirmedUntil = Math.max(confirmedUntil, until);
    }

    /** Nobody may say after this moment that the lock is held. */
    long confirmedUntil() {
        return confirmedUntil;
    }
}
