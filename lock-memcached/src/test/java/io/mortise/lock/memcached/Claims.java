// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.tck.servers.MemcachedServer;
import java.time.Duration;
import java.util.UUID;

/** What the tests of this module begin with. */
final class Claims {
    static final Duration AMPLE = Duration.ofSeconds(10);
    static final Duration CALL = Duration.ofMillis(300);

    private Claims() {}

    static LockBackend open(String url) {
        return new MemcachedBackendProvider().open(StoreUrl.parse(url));
    }

    static MemcachedClaim claim(LockBackend backend, String lock, Duration lease) {
        return (MemcachedClaim) backend.claim(request(lock, "test", lease), () -> {});
    }

    static ClaimRequest request(String lock, String label, Duration lease) {
        String owner = UUID.randomUUID().toString().replace("-", "");
        return new ClaimRequest(lock, owner, label, lease, false, 0, 1);
    }

    static String key(String lock) {
        return new Keys(Keys.DEFAULT_PREFIX).lock(lock);
    }

    /** Whether the server has an item for the lock; asked in a way that does not make it seem to be of use. */
    static boolean isStored(MemcachedServer server, String lock) {
        return server.command("mg " + key(lock) + " u").get(0).startsWith("HD");
    }
}
