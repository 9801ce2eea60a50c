// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.fault.Faults;
import java.time.Duration;

/** What the suite needs to know of etcd, however many members it has. */
abstract class EtcdTck extends LockBackendTck implements Faults {
    /** By which member a test changes keys. */
    abstract Keys keys();

    @Override
    public LockBackend open(String store) {
        return Keys.open(store);
    }

    @Override
    public Duration lease() {
        return Duration.ofSeconds(2);
    }

    @Override
    public void expireNow(String lock) {
        keys().expire(lock);
    }

    @Override
    public void deleteBehindBack(String lock) {
        keys().delete(lock);
    }

    @Override
    public void writeWithoutEnd(String lock) {
        keys().writeWithoutEnd(lock);
    }
}
