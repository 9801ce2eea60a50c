// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.item;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.mortise.lock.memcached.MemcachedBackendProvider;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.tck.servers.MemcachedServer;
import java.time.Duration;
import java.util.UUID;

/** What the tests of this module begin with. */
public final class Claims {
    public static final Duration AMPLE = Duration.ofSeconds(10);
    public static final Duration CALL = Duration.ofMillis(300);

    private Claims() {}

    public static LockBackend open(String url) {
        return new MemcachedBackendProvider().open(StoreUrl.parse(url));
    }

    public static MemcachedClaim claim(LockBackend backend, String lock, Duration lease) {
        return (MemcachedClaim) backend.claim(request(lock, "test", lease), () -> {});
    }

    public static ClaimRequest request(String lock, String label, Duration lease) {
        String owner = UUID.randomUUID().toString().replace("-", "");
        return new ClaimRequest(lock, owner, label, lease, false, 0, 1);
    }

    public static String key(String lock) {
        return new Keys(Keys.DEFAULT_PREFIX).lock(lock);
    }

    /** What a claim writes, at the start of the server's clock. */
    public static String value(ClaimRequest request) {
        return new String(LockItem.of(request, 0).encoded(), US_ASCII);
    }

    /** Whether the server has an item for the lock; asked in a way that does not make it seem to be of use. */
    public static boolean isStored(MemcachedServer server, String lock) {
        return server.command("mg " + key(lock) + " u").get(0).startsWith("HD");
    }
}
