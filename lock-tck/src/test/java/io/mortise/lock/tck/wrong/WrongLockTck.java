// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.CuttableBackend;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.fault.Faults;
import io.mortise.lock.tck.fault.Route;
import java.time.Duration;

/** The suite as an author would adopt it, for whatever store is the current one. Run by the gallery only. */
class WrongLockTck extends LockBackendTck implements Faults {
    /** Long enough for a machine that has other things to do, and short enough for a hundred runs. */
    static final Duration LEASE = Duration.ofMillis(300);

    static volatile TinyStore store = new TinyStore();
    static volatile Duration lease = LEASE;

    @Override
    protected String store() {
        return "";
    }

    @Override
    protected LockBackend open(String name) {
        return CuttableBackend.behind(name, new TinyBackend(store));
    }

    @Override
    protected Duration lease() {
        return lease;
    }

    @Override
    public void pauseStore() {
        store.pause(true);
    }

    @Override
    public void resumeStore() {
        store.pause(false);
    }

    @Override
    public void expireNow(String lock) {
        store.expire(lock);
    }

    @Override
    public void deleteBehindBack(String lock) {
        store.delete(lock);
    }

    @Override
    public void restartStore() {
        store.restart();
    }

    @Override
    public void restartStoreEmpty() {
        store.restartEmpty();
    }

    @Override
    public void writeWithoutEnd(String lock) {
        store.writeWithoutEnd(lock);
    }

    @Override
    public void endSession(LockBackend client) {
        store.endSession(client);
    }

    @Override
    public void killConnections() {
        store.killConnections();
    }

    @Override
    public long operations() {
        return store.operations();
    }

    @Override
    public Route route() {
        return CuttableBackend.route();
    }
}
