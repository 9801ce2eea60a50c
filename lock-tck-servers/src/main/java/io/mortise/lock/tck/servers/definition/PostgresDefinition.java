// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.definition;

import io.mortise.lock.tck.servers.process.ServerDefinition;
import io.mortise.lock.tck.servers.process.ServerImage;
import io.mortise.lock.tck.servers.process.ServerLocation;
import io.mortise.lock.tck.servers.process.ServerSetup;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Defines how to run a PostgreSQL server. */
public final class PostgresDefinition implements ServerDefinition {
    /** The name of the superuser, who needs no password. */
    public static final String USER = "mortise";

    private static final int PROBE_MILLIS = 1_000;
    private static final int PROTOCOL = 3 << 16;

    private final List<String> settings;

    /**
     * One server.
     *
     * @param settings of the server, such as {@code fsync=off}
     */
    public PostgresDefinition(String... settings) {
        this.settings = List.of(settings);
    }

    @Override
    public String program() {
        return "postgres";
    }

    @Override
    public List<String> arguments(ServerLocation location) {
        List<String> arguments = new ArrayList<>(List.of("-D", location.data(), "-p", String.valueOf(location.port())));
        List<String> all = new ArrayList<>(List.of(
                "listen_addresses=" + location.address(),
                "unix_socket_directories=",
                "shared_buffers=16MB",
                "max_connections=200",
                "full_page_writes=off"));
        all.addAll(settings);
        all.forEach(setting -> arguments.addAll(List.of("-c", setting)));
        return arguments;
    }

    @Override
    public void prepare(ServerSetup setup) {
        setup.run(
                "initdb",
                "--pgdata=" + setup.location().data(),
                "--username=" + USER,
                "--auth=trust",
                "--encoding=UTF8",
                "--no-locale",
                "--no-sync");
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

    /** A server that is starting or stopping accepts connections only to say so. */
    @Override
    public void probe(String host, int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), PROBE_MILLIS);
            socket.setSoTimeout(PROBE_MILLIS);
            byte[] parameters = ("user\0" + USER + "\0database\0postgres\0\0").getBytes(StandardCharsets.US_ASCII);
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeInt(8 + parameters.length);
            out.writeInt(PROTOCOL);
            out.write(parameters);
            out.flush();
            int kind = socket.getInputStream().read();
            if (kind != 'R') {
                throw new IOException("it does not let anybody in yet: " + (char) kind);
            }
        }
    }

    @Override
    public Optional<ServerImage> image() {
        return Optional.of(new ServerImage(
                "postgres:15-alpine",
                5432,
                "/var/lib/postgresql/data",
                Map.of("POSTGRES_USER", USER, "POSTGRES_DB", "postgres", "POSTGRES_HOST_AUTH_METHOD", "trust")));
    }
}
