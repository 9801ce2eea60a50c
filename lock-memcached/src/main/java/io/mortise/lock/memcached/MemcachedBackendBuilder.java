// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import io.mortise.lock.memcached.connection.DriverClient;
import io.mortise.lock.memcached.connection.RestartDelay;
import io.mortise.lock.memcached.item.Keys;
import java.time.Duration;
import java.util.Objects;
import net.spy.memcached.MemcachedClient;

/** Builds a {@link MemcachedBackend} over a client of the application's. Not thread-safe. */
public final class MemcachedBackendBuilder {
    private final MemcachedClient client;
    private Keys keys = new Keys(Keys.DEFAULT_PREFIX);
    private RestartDelay delay = RestartDelay.NONE;

    MemcachedBackendBuilder(MemcachedClient client) {
        this.client = Objects.requireNonNull(client, "client");
    }

    /**
     * Sets the text that the keys of all items begin with. Clients with different prefixes do not see each other's locks.
     *
     * @param prefix at most 100 visible ASCII characters; unless set, {@code mortise:}
     * @return this
     * @throws io.mortise.lock.LockConfigurationException if the prefix has other characters or is longer
     */
    public MemcachedBackendBuilder prefix(String prefix) {
        keys = new Keys(prefix);
        return this;
    }

    /**
     * Sets how long a server must have run before it grants locks. memcached forgets all locks when it restarts; with this delay,
     * their leases have ended before it grants others. Longer leases are refused. A server that is new grants nothing for this
     * time either. All clients must have the same value.
     *
     * @param length a second or more, at least as long as the longest lease; unless set, zero: a server grants at once
     * @return this
     * @throws io.mortise.lock.LockConfigurationException if it is neither zero nor from a second to thirty days
     */
    public MemcachedBackendBuilder restartDelay(Duration length) {
        delay = new RestartDelay(length);
        return this;
    }

    /**
     * Makes the backend. Does not wait for the servers.
     *
     * @return a new backend
     * @throws io.mortise.lock.LockConfigurationException if the client does not speak the binary protocol
     */
    public MemcachedBackend build() {
        return new MemcachedBackend(DriverClient.borrowed(client, delay), keys, delay);
    }
}
