// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.LockBackend;
import java.time.Duration;

/** The suite passes on the reference backend. */
class KitTest extends LockBackendTck implements Faults {
    private static final MemoryStore STORE = MemoryStore.named("kit");

    @Override
    protected String store() {
        return "";
    }

    @Override
    protected LockBackend open(String store) {
        return new MemoryBackend(STORE);
    }

    @Override
    protected Duration lease() {
        return Duration.ofMillis(600);
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
    public void expireNow(String lock) {
        STORE.expire(lock);
    }

    @Override
    public void deleteBehindBack(String lock) {
        STORE.delete(lock);
    }
}
