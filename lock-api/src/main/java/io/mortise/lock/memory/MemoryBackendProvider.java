// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memory;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.LockBackendProvider;
import io.mortise.lock.spi.StoreUrl;
import java.util.Set;

/** Opens {@code memory:NAME} URLs: clients of the same name in one JVM share their locks. Thread-safe. */
public final class MemoryBackendProvider implements LockBackendProvider {
    /** For {@link java.util.ServiceLoader}. */
    public MemoryBackendProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("memory");
    }

    @Override
    public LockBackend open(StoreUrl url) {
        if (url.password().isPresent()) {
            throw new LockConfigurationException("a memory: store has no password; drop it");
        }
        return new MemoryBackend(MemoryStore.named(url.path()));
    }
}
