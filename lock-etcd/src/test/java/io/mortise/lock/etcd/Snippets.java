// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd;

import io.mortise.lock.LockClient;
import io.mortise.lock.spi.LockBackend;
import java.net.URI;
import java.util.List;

/** The code of the backend's page. */
final class Snippets {
    private Snippets() {}

    static LockClient open() {
        LockBackend backend = EtcdBackend.builder(List.of(URI.create("http://localhost:2379")))
                .build();
        LockClient locks = LockClient.builder(backend).build();
        return locks;
    }
}
