// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Locks in etcd.
 *
 * @provides io.mortise.lock.spi.LockBackendProvider the {@code etcd:} and {@code etcds:} backends
 */
module io.mortise.lock.etcd {
    requires transitive io.mortise.lock;
    requires java.net.http;
    requires com.fasterxml.jackson.core;
    requires static transitive org.jspecify;

    exports io.mortise.lock.etcd;

    provides io.mortise.lock.spi.LockBackendProvider with
            io.mortise.lock.etcd.EtcdBackendProvider;
}
