// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.LockBackendTck;
import java.util.function.Function;

/** The suite against whatever wrong lock is the current one. Run by {@link WrongMemcachedLocksTest} only. */
class WrongMemcachedTck extends LockBackendTck {
    static volatile String url = "";
    static volatile Function<String, LockBackend> lock = WrongLocks.None::new;

    @Override
    public String store() {
        return url;
    }

    @Override
    public LockBackend open(String store) {
        return lock.apply(store);
    }
}
