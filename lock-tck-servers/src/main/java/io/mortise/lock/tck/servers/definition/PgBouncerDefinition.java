// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.definition;

import io.mortise.lock.tck.servers.process.ServerDefinition;
import io.mortise.lock.tck.servers.process.ServerLocation;
import io.mortise.lock.tck.servers.process.ServerSetup;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Defines how to run a PgBouncer in front of a PostgreSQL server.
 *
 * @param host where the server listens
 * @param port where the server listens
 */
public record PgBouncerDefinition(String host, int port) implements ServerDefinition {
    private static final String CONFIGURATION = "pgbouncer.ini";

    @Override
    public String program() {
        return "pgbouncer";
    }

    @Override
    public List<String> arguments(ServerLocation location) {
        return List.of(location.data() + "/" + CONFIGURATION);
    }

    @Override
    public void prepare(ServerSetup setup) throws IOException {
        ServerLocation location = setup.location();
        String configuration = """
                [databases]
                postgres = host=%s port=%d user=%s
                [pgbouncer]
                listen_addr = %s
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = transaction
                default_pool_size = 3
                ignore_startup_parameters = extra_float_digits
                """.formatted(host, port, PostgresDefinition.USER, location.address(), location.port());
        Files.writeString(Path.of(location.data(), CONFIGURATION), configuration);
    }

    @Override
    public boolean refusesRoot() {
        return true;
    }

    @Override
    public void probe(Socket connection) throws IOException {
        PostgresDefinition.logIn(connection);
    }
}
