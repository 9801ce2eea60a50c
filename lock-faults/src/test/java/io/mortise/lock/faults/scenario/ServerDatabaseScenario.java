// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.scenario;

import io.mortise.lock.tck.servers.MariaDbServer;
import io.mortise.lock.tck.servers.PostgresServer;
import io.mortise.lock.tck.servers.process.TestServer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/** A database server, with a user of its own for the locks, whose rights can be withdrawn. */
public final class ServerDatabaseScenario extends DatabaseScenario {
    private static final String USER = "worker";

    private final TestServer server;
    private final UnaryOperator<String> administratorUrl;
    private final UnaryOperator<String> url;
    private final BinaryOperator<String> change;

    private ServerDatabaseScenario(
            TestServer server,
            UnaryOperator<String> administratorUrl,
            UnaryOperator<String> url,
            List<String> toMakeUser) {
        this.server = server;
        this.administratorUrl = administratorUrl;
        this.url = url;
        change = (verb, preposition) -> verb + " insert, update, delete on mortise_locks " + preposition + " " + USER;
        try {
            run(toMakeUser);
        } catch (SQLException failure) {
            server.close();
            throw new IllegalStateException(failure);
        }
    }

    /** PostgreSQL. */
    public static Scenario postgres() {
        return new ServerDatabaseScenario(
                PostgresServer.start(),
                address -> "jdbc:postgresql://" + address + "/postgres?user=mortise",
                address -> "jdbc:postgresql://" + address + "/postgres?user=" + USER,
                List.of("create role " + USER + " login", "grant all on schema public to " + USER));
    }

    /** MariaDB, whose rights to single tables count at once. */
    public static Scenario mariaDb() {
        return new ServerDatabaseScenario(
                MariaDbServer.start(),
                address -> "jdbc:mariadb://" + address + "/mortise?user=mortise&password=mortise",
                address -> "jdbc:mariadb://" + address + "/mortise?user=" + USER + "&password=" + USER,
                List.of(
                        "create user " + USER + "@'%' identified by '" + USER + "'",
                        "grant create, select, insert, update, delete on mortise_locks to " + USER,
                        "grant create, select, insert, update, delete on mortise_locks_grants to " + USER));
    }

    @Override
    public List<Fault> faults() {
        List<TestServer> servers = List.of(server);
        List<Fault> faults = new ArrayList<>(networkFaults());
        faults.addAll(ServerFaults.withData(servers));
        faults.addAll(List.of(
                statements(
                        "permission withdrawn",
                        List.of(change.apply("revoke", "from")),
                        List.of(change.apply("grant", "to"))),
                forgets()));
        return faults;
    }

    @Override
    public List<String> leftOut() {
        return List.of(
                "disk full: the server's directory is not on a file system of its own",
                "replica promoted: asynchronous replicas are the same loss of data as deleted rows");
    }

    @Override
    String administratorUrl() {
        return administratorUrl.apply(address());
    }

    @Override
    public String url() {
        return url.apply(address());
    }

    private String address() {
        return server.host() + ":" + server.port();
    }

    @Override
    public Route route() {
        return added(Route.to(List.of(server), addresses -> url.apply(addresses.get(0))));
    }

    @Override
    protected void stop() {
        server.close();
    }
}
