// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.conformance;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.LockBackendTck;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The conformance suite on a live store, which only cases that need no fault of the store can be run on. JUnit makes an instance for
 * each case, and each child process one for itself, so what is tested is {@link #test set} for the whole process.
 */
class LiveStore extends LockBackendTck {
    private static volatile @Nullable StoreAddress address;
    private static volatile Duration lease = Duration.ofSeconds(1);
    private static volatile Duration session = Duration.ZERO;

    /** What the instances in this process test from now on. */
    static void test(StoreAddress tested, Duration length, Duration afterCrash) {
        address = tested;
        lease = length;
        session = afterCrash;
    }

    @Override
    public String store() {
        StoreAddress tested = tested();
        return tested.livesInOneProcess() ? "" : tested.text();
    }

    @Override
    public LockBackend open(String store) {
        if (address == null) {
            StoreAddress told = StoreAddress.parse(store);
            told.useJars();
            address = told;
        }
        return tested().open();
    }

    @Override
    public Duration lease() {
        return lease;
    }

    @Override
    public Duration session() {
        return session;
    }

    @Override
    public boolean isShared() {
        return true;
    }

    private static StoreAddress tested() {
        return Objects.requireNonNull(address);
    }
}
