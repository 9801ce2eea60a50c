// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.memcached.connection.DriverClient;
import io.mortise.lock.memcached.connection.RestartDelay;
import io.mortise.lock.memcached.item.Keys;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.LockBackendProvider;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.spi.support.DurationText;
import io.mortise.lock.spi.support.HostAndPort;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import net.spy.memcached.auth.AuthDescriptor;
import net.spy.memcached.auth.PlainCallbackHandler;

/**
 * Opens {@code memcached://user:password@host:port,host2?prefix=…}. The port is 11211 unless given; user and password are for
 * servers with SASL. The servers need not be up. Options: {@code prefix} and {@code restartDelay} (0s), as in
 * {@link MemcachedBackendBuilder}. Thread-safe.
 */
public final class MemcachedBackendProvider implements LockBackendProvider {
    private static final String PREFIX = "prefix";
    private static final String RESTART_DELAY = "restartDelay";
    private static final int DEFAULT_PORT = 11211;

    /** For {@link java.util.ServiceLoader}. */
    public MemcachedBackendProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("memcached");
    }

    @Override
    public Set<String> options() {
        return Set.of(PREFIX, RESTART_DELAY);
    }

    @Override
    public LockBackend open(StoreUrl url) {
        if (!url.path().isEmpty() && !url.path().equals("/")) {
            throw new LockConfigurationException("a memcached URL has no path: memcached://host:11211");
        }
        if (url.password().isPresent() && url.user().isEmpty()) {
            throw new LockConfigurationException("the URL has a password but no user; write memcached://user@host");
        }
        Keys keys = new Keys(url.option(PREFIX).orElse(Keys.DEFAULT_PREFIX));
        RestartDelay delay = restartDelay(url);
        AuthDescriptor credentials = url.user().isEmpty()
                ? null
                : new AuthDescriptor(
                        new String[] {"PLAIN"},
                        new PlainCallbackHandler(
                                url.user().get(), url.password().orElse("")));
        List<InetSocketAddress> servers = HostAndPort.parseAll(url.hosts(), DEFAULT_PORT).stream()
                .map(MemcachedBackendProvider::resolved)
                .toList();
        return new MemcachedBackend(DriverClient.open(servers, credentials, delay), keys, delay);
    }

    private static RestartDelay restartDelay(StoreUrl url) {
        try {
            return url.option(RESTART_DELAY)
                    .map(DurationText::parse)
                    .map(RestartDelay::new)
                    .orElse(RestartDelay.NONE);
        } catch (IllegalArgumentException wrong) {
            throw new LockConfigurationException(RESTART_DELAY + ": " + wrong.getMessage(), wrong);
        }
    }

    /** Looks up the address, once for the life of the backend. */
    private static InetSocketAddress resolved(HostAndPort server) {
        InetSocketAddress address = new InetSocketAddress(server.host(), server.port());
        if (address.isUnresolved()) {
            throw new LockConfigurationException("there is no address for the memcached host '" + server.host() + "'");
        }
        return address;
    }
}
