// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.fault.Faults;
import io.mortise.lock.tck.fault.Route;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** The suite passes on the reference backend. */
class KitTest extends LockBackendTck implements Faults {
    private static final MemoryStore STORE = MemoryStore.named("kit");
    private static final AtomicLong OPERATIONS = new AtomicLong();

    @Override
    public String store() {
        return "";
    }

    @Override
    public LockBackend open(String store) {
        return CuttableBackend.behind(store, new CountingBackend(new MemoryBackend(STORE), OPERATIONS));
    }

    @Override
    public Duration lease() {
        return Duration.ofMillis(250);
    }

    @Override
    public void pauseStore() {
        STORE.pause();
    }

    @Override
    public void resumeStore() {
        STORE.resume();
    }

    @Override
    public void restartStore() {
        STORE.pause();
        STORE.resume();
    }

    @Override
    public void restartStoreEmpty() {
        STORE.clear();
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
    public void expireNow(String lock) {
        STORE.expire(lock);
    }

    @Override
    public void deleteBehindBack(String lock) {
        STORE.delete(lock);
    }

    /** The nearest that there is to no end. */
    @Override
    public void writeWithoutEnd(String lock) {
        MemoryBackend stranger = new MemoryBackend(STORE);
        Duration longest = stranger.leaseBounds().longest();
        Claim claim = stranger.claim(new ClaimRequest(lock, "a stranger", "", longest, false, 0, 1), () -> {});
        try {
            claim.tryAcquire(Duration.ofSeconds(2));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public long operations() {
        return OPERATIONS.get();
    }

    @Override
    public Route route() {
        return CuttableWay.route();
    }
}
