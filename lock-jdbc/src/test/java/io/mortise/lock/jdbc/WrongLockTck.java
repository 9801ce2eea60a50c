// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.LockBackendTck;
import java.time.Duration;
import java.util.function.Supplier;

/** The suite as an author would adopt it, for whatever lock is the current one. Run by {@link WrongLocksAreCaughtTest} only. */
class WrongLockTck extends LockBackendTck {
    static volatile Supplier<LockBackend> lock = () -> {
        throw new IllegalStateException("the test of wrong locks says which lock");
    };

    @Override
    public String store() {
        return "";
    }

    @Override
    public LockBackend open(String store) {
        return lock.get();
    }

    /** These locks need several round trips for each answer. */
    @Override
    public Duration lease() {
        return Duration.ofSeconds(2);
    }
}
