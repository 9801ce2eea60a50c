// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.definition;

import io.mortise.lock.tck.servers.certificate.ServerCertificate;
import io.mortise.lock.tck.servers.process.ServerDefinition;
import io.mortise.lock.tck.servers.process.ServerLocation;
import io.mortise.lock.tck.servers.process.ServerSetup;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Defines how to run a Redis server of a Cluster, or of a set with Sentinels. It gets its role at run time and writes
 * it to its configuration file. It does not run in a container: it announces the address that it listens on, and that
 * of a container is another one outside.
 *
 * @param mode what to start it as
 * @param settings the lines of the file besides those for address, port and directory
 * @param certificate of a server that speaks TLS only, with clients and with the other servers; else empty
 */
public record RedisNodeDefinition(Mode mode, List<String> settings, Optional<ServerCertificate> certificate)
        implements ServerDefinition {
    /** What the server is. */
    public enum Mode {
        /** A server with data: a node of a cluster, a master or a replica. */
        DATA,

        /** A Sentinel. */
        SENTINEL
    }

    @Override
    public String program() {
        return "redis-server";
    }

    @Override
    public void prepare(ServerSetup setup) throws IOException {
        ServerLocation location = setup.location();
        List<String> lines = new ArrayList<>(List.of(
                "bind " + location.address(),
                "port " + location.port(),
                "dir " + location.data(),
                "protected-mode no"));
        if (mode == Mode.DATA) {
            lines.add("save \"\"");
            lines.add("repl-diskless-sync-delay 0"); // five seconds by default, in the hope of more replicas
        }
        if (certificate.isPresent()) {
            setup.write(certificate.get());
            TlsRedisDefinition.settings(location).forEach((name, value) -> lines.add(name + " " + value));
        }
        lines.addAll(settings);
        Files.write(Path.of(file(location)), lines);
    }

    @Override
    public List<String> arguments(ServerLocation location) {
        return mode == Mode.SENTINEL ? List.of(file(location), "--sentinel") : List.of(file(location));
    }

    @Override
    public void probe(Socket connection) throws IOException {
        RedisDefinition.ping(certificate.isPresent() ? certificate.get().secure(connection) : connection);
    }

    private static String file(ServerLocation location) {
        return location.data() + "/redis.conf";
    }
}
