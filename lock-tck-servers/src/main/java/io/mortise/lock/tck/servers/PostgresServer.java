// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import io.mortise.lock.tck.servers.certificate.ServerCertificate;
import io.mortise.lock.tck.servers.definition.PostgresDefinition;
import io.mortise.lock.tck.servers.definition.PostgresStandbyDefinition;
import io.mortise.lock.tck.servers.process.ForwardingServer;
import io.mortise.lock.tck.servers.process.ServerDefinition;
import io.mortise.lock.tck.servers.process.ServerUnavailableException;
import java.util.List;
import java.util.Optional;

/**
 * A PostgreSQL server that a test starts. Commits are on disk before they are answered; anybody on this machine is let
 * in.
 */
public final class PostgresServer extends ForwardingServer {
    private PostgresServer(ServerDefinition definition) {
        super(definition);
    }

    /**
     * Starts one.
     *
     * @param settings of the server, such as {@code "default_transaction_isolation=serializable"}
     * @return the running server
     * @throws ServerUnavailableException if there is no {@code postgres}, none can be fetched, and no Docker engine answers
     */
    public static PostgresServer start(String... settings) {
        return new PostgresServer(new PostgresDefinition(List.of(settings), Optional.empty()));
    }

    /**
     * Starts one that speaks TLS with the clients that want it.
     *
     * @param certificate what it shows to them
     * @param settings as in {@link #start}
     * @return the running server
     * @throws ServerUnavailableException if there is no {@code postgres}, and none can be fetched
     */
    public static PostgresServer startWithTls(ServerCertificate certificate, String... settings) {
        return new PostgresServer(new PostgresDefinition(List.of(settings), Optional.of(certificate)));
    }

    /**
     * Starts a hot standby, which has the data of another server and may only be read.
     *
     * @param primary the other server, which runs as a process
     * @return the running standby
     * @throws ServerUnavailableException if there is no {@code postgres}, and none can be fetched
     */
    public static PostgresServer standbyOf(PostgresServer primary) {
        return new PostgresServer(
                new PostgresStandbyDefinition(primary, new PostgresDefinition(List.of(), Optional.empty())));
    }

    /**
     * The URL of its database.
     *
     * @return {@code jdbc:postgresql://HOST:PORT/postgres?user=mortise}, for a superuser
     */
    public String url() {
        return urlAt(host(), port());
    }

    /**
     * The URL of its database through a proxy or a pooler.
     *
     * @param host where that listens
     * @param port where that listens
     * @return as {@link #url()}
     */
    public String urlAt(String host, int port) {
        return "jdbc:postgresql://" + host + ":" + port + "/postgres?user=" + PostgresDefinition.USER;
    }
}
