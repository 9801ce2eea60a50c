// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How to run a Redis server. */
final class RedisKind implements ServerKind {
    private static final int PROBE_MILLIS = 1_000;

    private final List<String> further;

    RedisKind(String... further) {
        this.further = List.of(further);
    }

    @Override
    public String program() {
        return "redis-server";
    }

    @Override
    public List<String> arguments(ServerPlace place) {
        List<String> arguments = new ArrayList<>(List.of(
                "--bind",
                place.address(),
                "--port",
                String.valueOf(place.port()),
                "--dir",
                place.data(),
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
    public void probe(String host, int port) throws IOException {
        ping(host, port);
    }

    @Override
    public Optional<ServerImage> image() {
        return Optional.of(new ServerImage("redis:7.4-alpine", 6379, "/data"));
    }

    /** One that wants a password answers too; one that still loads its data does not. */
    static void ping(String host, int port) throws IOException {
        try (RedisConnection connection = new RedisConnection(host, port, PROBE_MILLIS)) {
            connection.command("PING");
        } catch (RedisErrorException error) {
            if (!String.valueOf(error.getMessage()).startsWith("NOAUTH")) {
                throw new IOException(error);
            }
        }
    }
}
