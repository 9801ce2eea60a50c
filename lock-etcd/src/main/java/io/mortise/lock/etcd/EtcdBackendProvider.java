// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.LockBackendProvider;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.spi.support.HostAndPort;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Set;

/**
 * Opens {@code etcd://user:password@host1:2379,host2,host3?prefix=…} URLs, and {@code etcds:} ones with TLS. The port is 2379 unless
 * given. The members need not be up. Option: {@code prefix}, as in {@link EtcdBackendBuilder}. Thread-safe.
 */
public final class EtcdBackendProvider implements LockBackendProvider {
    private static final String WITH_TLS = "etcds";
    private static final String PREFIX = "prefix";
    private static final int DEFAULT_PORT = 2379;

    /** For {@link java.util.ServiceLoader}. */
    public EtcdBackendProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("etcd", WITH_TLS);
    }

    @Override
    public Set<String> options() {
        return Set.of(PREFIX);
    }

    @Override
    public LockBackend open(StoreUrl url) {
        if (!url.path().isEmpty() && !url.path().equals("/")) {
            throw new LockConfigurationException("an etcd URL has no path: etcd://host:2379");
        }
        if (url.password().isPresent() != url.user().isPresent()) {
            throw new LockConfigurationException(
                    "the URL has a user or a password, but not both; write etcd://user:password@host");
        }
        String scheme = url.scheme().equals(WITH_TLS) ? "https" : "http";
        List<URI> members = HostAndPort.parseAll(url.hosts(), DEFAULT_PORT).stream()
                .map(member -> address(scheme, member))
                .toList();
        EtcdBackendBuilder builder = EtcdBackend.builder(members);
        url.user().ifPresent(user -> builder.credentials(user, url.password().orElseThrow()));
        url.option(PREFIX).ifPresent(builder::prefix);
        return builder.build();
    }

    private static URI address(String scheme, HostAndPort member) {
        try {
            return new URI(scheme, null, member.host(), member.port(), null, null, null);
        } catch (URISyntaxException wrong) {
            throw new LockConfigurationException("'" + member.host() + "' is no name of a host", wrong);
        }
    }
}
