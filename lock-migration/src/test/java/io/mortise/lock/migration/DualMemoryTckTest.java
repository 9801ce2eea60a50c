// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration;

import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.migration.dual.DualBackend;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.fault.Faults;
import java.time.Duration;

/** The suite passes on two stores at once. */
class DualMemoryTckTest extends LockBackendTck implements Faults {
    private static final MemoryStore OLD = MemoryStore.named("dual-old");
    private static final MemoryStore NEW = MemoryStore.named("dual-new");

    @Override
    public String store() {
        return "";
    }

    @Override
    public LockBackend open(String store) {
        return new DualBackend(new MemoryBackend(OLD), new MemoryBackend(NEW));
    }

    @Override
    public Duration lease() {
        return Duration.ofMillis(400);
    }

    @Override
    public void pauseStore() {
        OLD.pause();
        NEW.pause();
    }

    @Override
    public void resumeStore() {
        OLD.resume();
        NEW.resume();
    }

    @Override
    public void restartStoreEmpty() {
        OLD.clear();
        NEW.clear();
    }

    @Override
    public void withdrawPermission() {
        OLD.withdrawPermission();
        NEW.withdrawPermission();
    }

    @Override
    public void givePermissionBack() {
        OLD.givePermissionBack();
        NEW.givePermissionBack();
    }

    @Override
    public void expireNow(String lock) {
        OLD.expire(lock);
        NEW.expire(lock);
    }

    @Override
    public void deleteBehindBack(String lock) {
        OLD.delete(lock);
        NEW.delete(lock);
    }
}
