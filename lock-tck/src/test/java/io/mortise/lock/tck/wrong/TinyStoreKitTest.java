// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.CuttableBackend;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.fault.Faults;
import io.mortise.lock.tck.fault.Route;
import java.time.Duration;

/** The store that all wrong locks are made of is right itself: what they fail by is their own mistake. */
class TinyStoreKitTest extends LockBackendTck implements Faults {
    private static final TinyStore STORE = new TinyStore();

    @Override
    protected String store() {
        return "";
    }

    @Override
    protected LockBackend open(String by) {
        return CuttableBackend.behind(by, new TinyBackend(STORE));
    }

    @Override
    protected Duration lease() {
        return Duration.ofMillis(600);
    }

    @Override
    public void pauseStore() {
        STORE.pause(true);
    }

    @Override
    public void resumeStore() {
        STORE.pause(false);
    }

    @Override
    public void expireNow(String lock) {
        STORE.expire(lock);
    }

    @Override
    public void deleteBehindBack(String lock) {
        STORE.delete(lock);
    }

    @Override
    public void restartStore() {
        STORE.restart();
    }

    @Override
    public void restartStoreEmpty() {
        STORE.restartEmpty();
    }

    @Override
    public void writeWithoutEnd(String lock) {
        STORE.writeWithoutEnd(lock);
    }

    @Override
    public void endSession(LockBackend client) {
        STORE.endSession(client);
    }

    @Override
    public void killConnections() {
        STORE.killConnections();
    }

    @Override
    public long operations() {
        return STORE.operations();
    }

    @Override
    public Route route() {
        return CuttableBackend.route();
    }
}
