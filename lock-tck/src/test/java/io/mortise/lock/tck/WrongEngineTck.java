// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.fault.Faults;
import io.mortise.lock.tck.fault.Route;

/** The suite on a right store and an engine with a mistake. Run by {@link WrongEnginesAreCaughtTest} only. */
class WrongEngineTck extends LockBackendTck implements Faults {
    private static final MemoryStore STORE = MemoryStore.named("wrong engines");

    static volatile WrongEngine engine = WrongEngine.NONE;

    @Override
    public String store() {
        return "";
    }

    @Override
    public LockBackend open(String store) {
        return CuttableBackend.behind(store, new MemoryBackend(STORE));
    }

    @Override
    public LockBackend seenByEngine(LockBackend backend) {
        return engine.over(backend);
    }

    @Override
    public void withdrawPermission() {
        STORE.withdrawPermission();
    }

    @Override
    public void givePermissionBack() {
        STORE.givePermissionBack();
    }

    @Override
    public Route route() {
        return CuttableWay.route();
    }
}
