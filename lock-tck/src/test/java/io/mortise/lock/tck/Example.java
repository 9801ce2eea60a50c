// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.LockBackend;

/** What docs/writing-a-backend.md shows, compiled. Not run: {@link KitTest} runs the suite on the same backend. */
final class Example {
    private Example() {}

    static class ExampleTckTest extends LockBackendTck {
        @Override
        public String store() {
            return "";
        }

        @Override
        public LockBackend open(String store) {
            return new MemoryBackend(MemoryStore.named("example"));
        }
    }
}
