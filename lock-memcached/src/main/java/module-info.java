// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Locks in memcached.
 *
 * @provides io.mortise.lock.spi.LockBackendProvider the {@code memcached:} backend
 */
module io.mortise.lock.memcached {
    requires transitive io.mortise.lock;
    requires transitive spymemcached;
    requires static transitive org.jspecify;
    requires java.security.sasl; // what spymemcached needs, an automatic module that cannot ask for it

    exports io.mortise.lock.memcached;
    exports io.mortise.lock.memcached.log to
            spymemcached;

    provides io.mortise.lock.spi.LockBackendProvider with
            io.mortise.lock.memcached.MemcachedBackendProvider;
}
