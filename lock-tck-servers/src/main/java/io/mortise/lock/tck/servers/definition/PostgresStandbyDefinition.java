// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.definition;

import io.mortise.lock.tck.servers.process.ServerDefinition;
import io.mortise.lock.tck.servers.process.ServerLocation;
import io.mortise.lock.tck.servers.process.ServerSetup;
import io.mortise.lock.tck.servers.process.TestServer;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * Defines how to run a hot standby of PostgreSQL, which may only be read.
 *
 * @param primary the server whose data it has
 * @param server how to run such a server
 */
public record PostgresStandbyDefinition(TestServer primary, PostgresDefinition server) implements ServerDefinition {
    @Override
    public String program() {
        return server.program();
    }

    @Override
    public List<String> arguments(ServerLocation location) {
        return server.arguments(location);
    }

    /** Unlike initdb, the backup leaves the folder as it is, and the server wants it for itself. */
    @Override
    public void prepare(ServerSetup setup) throws IOException {
        Path data = Path.of(setup.location().data());
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
        setup.run(
                "pg_basebackup",
                "--pgdata=" + data,
                "--host=" + primary.host(),
                "--port=" + primary.port(),
                "--username=" + PostgresDefinition.USER,
                "--write-recovery-conf",
                "--checkpoint=fast",
                "--no-sync");
    }

    @Override
    public boolean refusesRoot() {
        return server.refusesRoot();
    }

    @Override
    public String stopSignal() {
        return server.stopSignal();
    }

    @Override
    public void probe(Socket connection) throws IOException {
        server.probe(connection);
    }
}
