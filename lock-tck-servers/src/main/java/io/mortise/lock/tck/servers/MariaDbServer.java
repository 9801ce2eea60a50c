// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import io.mortise.lock.tck.servers.certificate.ServerCertificate;
import io.mortise.lock.tck.servers.definition.MariaDbDefinition;
import io.mortise.lock.tck.servers.process.ForwardingServer;
import io.mortise.lock.tck.servers.process.ServerDefinition;
import io.mortise.lock.tck.servers.process.ServerUnavailableException;
import java.util.List;
import java.util.Optional;

/** A MariaDB server that a test starts. Commits are on disk before they are answered. */
public final class MariaDbServer extends ForwardingServer {
    private MariaDbServer(ServerDefinition definition) {
        super(definition);
    }

    /**
     * Starts one.
     *
     * @param arguments of {@code mariadbd}, after those that set address, port and directories; such as
     *     {@code "--default-time-zone=+05:30"}
     * @return the running server
     * @throws ServerUnavailableException if there is no {@code mariadbd}, none can be fetched, and no Docker engine answers
     */
    public static MariaDbServer start(String... arguments) {
        return new MariaDbServer(new MariaDbDefinition(List.of(arguments), Optional.empty()));
    }

    /**
     * Starts one that speaks TLS with the clients that want it.
     *
     * @param certificate what it shows to them
     * @param arguments as in {@link #start}
     * @return the running server
     * @throws ServerUnavailableException if there is no {@code mariadbd}, and none can be fetched
     */
    public static MariaDbServer startWithTls(ServerCertificate certificate, String... arguments) {
        return new MariaDbServer(new MariaDbDefinition(List.of(arguments), Optional.of(certificate)));
    }

    /**
     * The URL of its database.
     *
     * @return {@code jdbc:mariadb://HOST:PORT/mortise?user=mortise&password=mortise}
     */
    public String url() {
        return urlAt(host(), port());
    }

    /**
     * The URL of its database through a proxy.
     *
     * @param host where that listens
     * @param port where that listens
     * @return as {@link #url()}
     */
    public String urlAt(String host, int port) {
        String name = MariaDbDefinition.NAME;
        return "jdbc:mariadb://" + host + ":" + port + "/" + name + "?user=" + name + "&password=" + name;
    }
}
