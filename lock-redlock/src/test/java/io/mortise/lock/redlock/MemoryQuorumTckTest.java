// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.fault.Faults;
import java.util.List;

/** Three members in memory, which do not tell their clocks, so every token has to be raised. */
class MemoryQuorumTckTest extends LockBackendTck implements Faults {
    private static final List<String> NAMES = List.of("quorum-1", "quorum-2", "quorum-3");

    @Override
    public String store() {
        return "";
    }

    @Override
    public LockBackend open(String store) {
        RedlockBackendBuilder builder = RedlockBackend.builder();
        NAMES.forEach(name -> builder.member(name, new MemoryBackend(MemoryStore.named(name))));
        return builder.build();
    }

    @Override
    public void pauseStore() {
        NAMES.forEach(name -> MemoryStore.named(name).pause());
    }

    @Override
    public void resumeStore() {
        NAMES.forEach(name -> MemoryStore.named(name).resume());
    }

    @Override
    public void withdrawPermission() {
        NAMES.forEach(name -> MemoryStore.named(name).withdrawPermission());
    }

    @Override
    public void givePermissionBack() {
        NAMES.forEach(name -> MemoryStore.named(name).givePermissionBack());
    }

    @Override
    public void expireNow(String lock) {
        NAMES.forEach(name -> MemoryStore.named(name).expire(lock));
    }

    @Override
    public void deleteBehindBack(String lock) {
        NAMES.forEach(name -> MemoryStore.named(name).delete(lock));
    }
}
