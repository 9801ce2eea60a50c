// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Distributed locks: the API that applications call, the SPI that backends implement, and a reference backend in
 * memory. Needs nothing at run time but the JDK.
 *
 * @uses io.mortise.lock.spi.LockBackendProvider to find the backend of a store URL
 * @provides io.mortise.lock.spi.LockBackendProvider the {@code memory:} backend
 */
module io.mortise.lock {
    requires static transitive org.jspecify;

    exports io.mortise.lock;
    exports io.mortise.lock.spi;
    exports io.mortise.lock.spi.support;
    exports io.mortise.lock.memory;

    uses io.mortise.lock.spi.LockBackendProvider;

    provides io.mortise.lock.spi.LockBackendProvider with
            io.mortise.lock.memory.MemoryBackendProvider;
}
