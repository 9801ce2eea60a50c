// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import io.mortise.lock.LockClient;
import io.mortise.lock.spi.LockBackend;

/** The example of docs/backends/redlock.md, compiled. */
final class Snippets {
    private Snippets() {}

    static LockClient anyBackends(LockBackend first, LockBackend second, LockBackend third) {
        RedlockBackend quorum = RedlockBackend.builder()
                .member("first", first)
                .member("second", second)
                .member("third", third)
                .build();
        LockClient locks = LockClient.builder(quorum).build();
        return locks;
    }
}
