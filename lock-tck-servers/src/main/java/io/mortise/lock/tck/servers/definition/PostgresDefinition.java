// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.definition;

import io.mortise.lock.tck.servers.certificate.ServerCertificate;
import io.mortise.lock.tck.servers.process.ServerDefinition;
import io.mortise.lock.tck.servers.process.ServerImage;
import io.mortise.lock.tck.servers.process.ServerLocation;
import io.mortise.lock.tck.servers.process.ServerSetup;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Defines how to run a PostgreSQL server.
 *
 * @param settings of the server, such as {@code fsync=off}
 * @param certificate of a server that lets clients choose TLS; else empty. One with a certificate does not run in a container
 */
public record PostgresDefinition(List<String> settings, Optional<ServerCertificate> certificate)
        implements ServerDefinition {
    /** The name of the superuser, who needs no password. */
    public static final String USER = "mortise";

    private static final int PROTOCOL = 3 << 16;

    @Override
    public String program() {
        return "postgres";
    }

    @Override
    public List<String> arguments(ServerLocation location) {
        List<String> arguments = new ArrayList<>(List.of(
                "-D",
                location.data(),
                "--port=" + location.port(),
                "--listen_addresses=" + location.address(),
                "--unix_socket_directories=",
                "--shared_buffers=16MB",
                "--max_connections=200",
                "--full_page_writes=off"));
        if (certificate.isPresent()) {
            arguments.addAll(List.of(
                    "--ssl=on", "--ssl_cert_file=" + ServerSetup.CERTIFICATE, "--ssl_key_file=" + ServerSetup.KEY));
        }
        settings.forEach(setting -> arguments.add("--" + setting));
        return arguments;
    }

    @Override
    public void prepare(ServerSetup setup) throws IOException {
        setup.run(
                "initdb",
                "--pgdata=" + setup.location().data(),
                "--username=" + USER,
                "--auth=trust",
                "--encoding=UTF8",
                "--no-locale",
                "--no-sync");
        if (certificate.isPresent()) {
            setup.write(certificate.get());
        }
    }

    @Override
    public boolean refusesRoot() {
        return true;
    }

    /** Does not wait for clients to disconnect. */
    @Override
    public String stopSignal() {
        return "INT";
    }

    @Override
    public void probe(Socket connection) throws IOException {
        logIn(connection);
    }

    /** A server that is starting or stopping accepts connections only to say so. */
    static void logIn(Socket connection) throws IOException {
        byte[] parameters = ("user\0" + USER + "\0database\0postgres\0\0").getBytes(StandardCharsets.US_ASCII);
        int length = 2 * Integer.BYTES + parameters.length;
        ByteBuffer packet =
                ByteBuffer.allocate(length).putInt(length).putInt(PROTOCOL).put(parameters);
        connection.getOutputStream().write(packet.array());
        int kind = connection.getInputStream().read();
        if (kind != 'R') {
            throw new IOException("it does not let anybody in yet: " + (char) kind);
        }
    }

    @Override
    public Optional<ServerImage> image() {
        return certificate.isPresent()
                ? Optional.empty()
                : Optional.of(new ServerImage(
                        "postgres:15-alpine",
                        5432,
                        "/var/lib/postgresql/data",
                        Map.of(
                                "POSTGRES_USER",
                                USER,
                                "POSTGRES_DB",
                                "postgres",
                                "POSTGRES_HOST_AUTH_METHOD",
                                "trust")));
    }
}
