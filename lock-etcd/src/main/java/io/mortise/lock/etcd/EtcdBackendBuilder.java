// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.etcd.gateway.Credentials;
import io.mortise.lock.etcd.gateway.Gateway;
import io.mortise.lock.etcd.queue.LockKeys;
import io.mortise.lock.spi.LockBackend;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** Builds an {@link EtcdBackend}. Not thread-safe. */
public final class EtcdBackendBuilder {
    private final List<URI> members;
    private Optional<Credentials> credentials = Optional.empty();
    private Optional<SSLContext> tls = Optional.empty();
    private LockKeys keys = new LockKeys(LockKeys.DEFAULT_PREFIX);

    EtcdBackendBuilder(List<URI> members) {
        this.members = List.copyOf(members);
        if (members.isEmpty()) {
            throw new LockConfigurationException("name at least one member of etcd, such as http://localhost:2379");
        }
        for (URI member : members) {
            boolean isHttp = "http".equals(member.getScheme()) || "https".equals(member.getScheme());
            if (!isHttp || member.getHost() == null || member.getUserInfo() != null) {
                throw new LockConfigurationException(
                        "a member of etcd has an address such as http://localhost:2379, and user and password are given apart");
            }
        }
    }

    /**
     * Sets the user. None unless set.
     *
     * @param user whom etcd knows, and who may read and write the keys under the prefix
     * @param password the user's
     * @return this
     */
    public EtcdBackendBuilder credentials(String user, String password) {
        credentials = Optional.of(
                new Credentials(Objects.requireNonNull(user, "user"), Objects.requireNonNull(password, "password")));
        return this;
    }

    /**
     * Sets what all keys begin with; only clients with the same prefix exclude each other. {@code mortise/} unless set.
     *
     * @param prefix 1 to 200 printable ASCII characters without blanks
     * @return this
     * @throws LockConfigurationException if it is another text
     */
    public EtcdBackendBuilder prefix(String prefix) {
        keys = new LockKeys(prefix);
        return this;
    }

    /**
     * Sets whom to trust, and what to show to members that want a certificate. Unless set, whom the JVM trusts.
     *
     * @param context of TLS; used with addresses of {@code https}
     * @return this
     */
    public EtcdBackendBuilder sslContext(SSLContext context) {
        tls = Optional.of(context);
        return this;
    }

    /** {@return a new backend} Asks nothing yet. */
    public LockBackend build() {
        return new EtcdBackend(new Gateway(members, credentials, tls), keys);
    }
}
