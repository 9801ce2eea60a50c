// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.definition;

import io.mortise.lock.tck.servers.process.ServerDefinition;
import io.mortise.lock.tck.servers.process.ServerImage;
import io.mortise.lock.tck.servers.process.ServerLocation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Defines how to run a single Redis server.
 *
 * @param further arguments after those that set address, port and directory and turn saving off
 */
public record RedisDefinition(List<String> further) implements ServerDefinition {
    @Override
    public String program() {
        return "redis-server";
    }

    @Override
    public List<String> arguments(ServerLocation location) {
        List<String> arguments = new ArrayList<>(List.of(
                "--bind",
                location.address(),
                "--port",
                String.valueOf(location.port()),
                "--dir",
                location.data(),
                "--protected-mode",
                "no",
                "--save",
                "",
                "--appendonly",
                "no"));
        arguments.addAll(further);
        return arguments;
    }

    @Override
    public void probe(Socket connection) throws IOException {
        ping(connection);
    }

    @Override
    public Optional<ServerImage> image() {
        return Optional.of(new ServerImage("redis:7.4-alpine", 6379, "/data", Map.of()));
    }

    /** A server that wants a password answers too; one that still loads its data does not. */
    static void ping(Socket connection) throws IOException {
        connection.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
        String reply = new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))
                .readLine();
        if (reply == null || !(reply.startsWith("+") || reply.startsWith("-NOAUTH"))) {
            throw new IOException("it says '" + reply + "'");
        }
    }
}
