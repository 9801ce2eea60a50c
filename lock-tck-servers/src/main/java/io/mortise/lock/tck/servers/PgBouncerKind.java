// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** How to run a PgBouncer in front of a PostgreSQL server. */
final class PgBouncerKind implements ServerKind {
    private static final String CONFIGURATION = "pgbouncer.ini";

    private final PostgresServer behind;

    PgBouncerKind(PostgresServer behind) {
        this.behind = behind;
    }

    @Override
    public String program() {
        return "pgbouncer";
    }

    @Override
    public List<String> arguments(ServerPlace place) {
        return List.of(place.data() + "/" + CONFIGURATION);
    }

    @Override
    public void prepare(ServerSetup setup) {
        ServerPlace place = setup.place();
        String configuration =
                """
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
                """.formatted(behind.host(), behind.port(), PostgresKind.USER, place.address(), place.port());
        try {
            Files.writeString(Path.of(place.data(), CONFIGURATION), configuration);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public boolean refusesRoot() {
        return true;
    }

    @Override
    public void probe(String host, int port) throws IOException {
        new PostgresKind().probe(host, port);
    }
}
