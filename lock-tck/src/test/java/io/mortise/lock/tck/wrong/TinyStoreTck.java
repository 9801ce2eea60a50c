// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.CuttableWay;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.fault.Faults;
import io.mortise.lock.tck.fault.Route;

/** The suite on a {@link TinyStore}, as its author would adopt it. */
abstract class TinyStoreTck extends LockBackendTck implements Faults {
    abstract TinyStore tiny();

    @Override
    public String store() {
        return "";
    }

    @Override
    public LockBackend open(String by) {
        tiny().beforeOpening();
        return new TinyBackend(tiny(), CuttableWay.of(by));
    }

    @Override
    public void pauseStore() {
        tiny().pause(true);
    }

    @Override
    public void resumeStore() {
        tiny().pause(false);
    }

    @Override
    public void withdrawPermission() {
        tiny().refuse(true);
    }

    @Override
    public void givePermissionBack() {
        tiny().refuse(false);
    }

    @Override
    public void expireNow(String lock) {
        tiny().expire(lock);
    }

    @Override
    public void deleteBehindBack(String lock) {
        tiny().delete(lock);
    }

    @Override
    public void restartStore() {
        tiny().restart();
    }

    @Override
    public void restartStoreEmpty() {
        tiny().restartEmpty();
    }

    @Override
    public void writeWithoutEnd(String lock) {
        tiny().writeWithoutEnd(lock);
    }

    @Override
    public void endSession(LockBackend client) {
        tiny().endSession(client);
    }

    @Override
    public void killConnections() {
        tiny().killConnections();
    }

    @Override
    public long operations() {
        return tiny().operations();
    }

    @Override
    public Route route() {
        return CuttableWay.route();
    }
}
