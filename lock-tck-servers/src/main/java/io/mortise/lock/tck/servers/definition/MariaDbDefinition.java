// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.definition;

import io.mortise.lock.tck.servers.certificate.ServerCertificate;
import io.mortise.lock.tck.servers.process.ServerDefinition;
import io.mortise.lock.tck.servers.process.ServerImage;
import io.mortise.lock.tck.servers.process.ServerLocation;
import io.mortise.lock.tck.servers.process.ServerSetup;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Defines how to run a MariaDB server.
 *
 * @param further arguments after those that set address, port and directories
 * @param certificate of a server that lets clients choose TLS; else empty. One with a certificate does not run in a container
 */
public record MariaDbDefinition(List<String> further, Optional<ServerCertificate> certificate)
        implements ServerDefinition {
    /** The name of the database and of its user, and the password. */
    public static final String NAME = "mortise";

    private static final int HEADER = 4;
    private static final int PROTOCOL = 10;

    @Override
    public String program() {
        return "mariadbd";
    }

    @Override
    public List<String> arguments(ServerLocation location) {
        List<String> arguments = new ArrayList<>(List.of(
                "--no-defaults",
                "--basedir=" + location.root() + "/usr",
                "--datadir=" + location.data(),
                temporaryFiles(location),
                "--socket=" + location.data() + "/socket",
                "--pid-file=" + location.data() + "/pid",
                "--bind-address=" + location.address(),
                "--port=" + location.port(),
                "--skip-name-resolve",
                "--innodb-buffer-pool-size=32M"));
        if (certificate.isPresent()) {
            arguments.add("--ssl-cert=" + location.data() + "/" + ServerSetup.CERTIFICATE);
            arguments.add("--ssl-key=" + location.data() + "/" + ServerSetup.KEY);
        }
        arguments.addAll(further);
        return arguments;
    }

    /** Without {@code flush privileges} the server that makes the data knows no users yet. */
    @Override
    public void prepare(ServerSetup setup) throws IOException {
        Path data = Path.of(setup.location().data());
        Path statements = data.resolveSibling("create.sql");
        Files.writeString(statements, """
                flush privileges;
                create database mortise;
                create user mortise@'%' identified by 'mortise';
                grant all on *.* to mortise@'%' with grant option;
                """);
        setup.run(
                "mariadb-install-db",
                "--no-defaults",
                "--basedir=" + setup.location().root() + "/usr",
                "--datadir=" + data,
                temporaryFiles(setup.location()),
                "--auth-root-authentication-method=normal",
                "--skip-test-db",
                "--extra-file=" + statements);
        if (certificate.isPresent()) {
            setup.write(certificate.get());
        }
    }

    /** Its own directory: a server that starts removes all files that an earlier one seems to have left behind. */
    private static String temporaryFiles(ServerLocation location) {
        return "--tmpdir=" + location.data();
    }

    @Override
    public boolean refusesRoot() {
        return true;
    }

    /** The server sends the first packet, with the number of its protocol. */
    @Override
    public void probe(Socket connection) throws IOException {
        InputStream in = connection.getInputStream();
        in.readNBytes(HEADER);
        if (in.read() != PROTOCOL) {
            throw new IOException("it does not send its first packet");
        }
    }

    @Override
    public Optional<ServerImage> image() {
        return certificate.isPresent()
                ? Optional.empty()
                : Optional.of(new ServerImage(
                        "mariadb:10.11",
                        3306,
                        "/var/lib/mysql",
                        Map.of(
                                "MARIADB_RANDOM_ROOT_PASSWORD", "yes",
                                "MARIADB_DATABASE", NAME,
                                "MARIADB_USER", NAME,
                                "MARIADB_PASSWORD", NAME)));
    }
}
