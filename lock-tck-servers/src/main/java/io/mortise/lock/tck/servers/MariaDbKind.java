// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How to run a MariaDB server. */
final class MariaDbKind implements ServerKind {
    /** The name of the database, of its user, and the password. */
    static final String NAME = "mortise";

    private static final int PROBE_MILLIS = 1_000;
    private static final int HEADER = 4;
    private static final int GREETING = 10;

    private final List<String> further;

    MariaDbKind(String... further) {
        this.further = List.of(further);
    }

    @Override
    public String program() {
        return "mariadbd";
    }

    @Override
    public List<String> arguments(ServerPlace place) {
        List<String> arguments = new ArrayList<>(List.of(
                "--no-defaults",
                "--basedir=" + place.root() + "/usr",
                "--datadir=" + place.data(),
                temporaryFiles(place),
                "--socket=" + place.data() + "/socket",
                "--pid-file=" + place.data() + "/pid",
                "--bind-address=" + place.address(),
                "--port=" + place.port(),
                "--skip-name-resolve",
                "--innodb-buffer-pool-size=32M"));
        arguments.addAll(further);
        return arguments;
    }

    /** A server that is being made knows no users before it is told to. */
    @Override
    public void prepare(ServerSetup setup) {
        Path data = Path.of(setup.place().data());
        Path statements = data.resolveSibling("create.sql");
        try {
            Files.writeString(statements, """
                    flush privileges;
                    create database mortise;
                    create user mortise@'%' identified by 'mortise';
                    grant all on *.* to mortise@'%';
                    """);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        setup.run(
                "mariadb-install-db",
                "--no-defaults",
                "--basedir=" + setup.place().root() + "/usr",
                "--datadir=" + data,
                temporaryFiles(setup.place()),
                "--auth-root-authentication-method=normal",
                "--skip-test-db",
                "--extra-file=" + statements);
    }

    /** Not where others have theirs: a server that starts removes all that it takes for left by an earlier one. */
    private static String temporaryFiles(ServerPlace place) {
        return "--tmpdir=" + place.data();
    }

    @Override
    public boolean refusesRoot() {
        return true;
    }

    /** The server speaks first: a greeting with the number of its protocol. */
    @Override
    public void probe(String host, int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), PROBE_MILLIS);
            socket.setSoTimeout(PROBE_MILLIS);
            InputStream in = socket.getInputStream();
            in.readNBytes(HEADER);
            if (in.read() != GREETING) {
                throw new IOException("it does not greet");
            }
        }
    }

    @Override
    public Optional<ServerImage> image() {
        return Optional.of(new ServerImage(
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
