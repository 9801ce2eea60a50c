// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How to run a Redis server that belongs to a set: it is told by others what to be, and writes that to its configuration file. It
 * announces the address that it listens on, so it does not run in a container, whose address is another one outside.
 *
 * @param mode what to start it as
 * @param settings the lines of the file besides those for address, port and directory
 */
record RedisNodeKind(Mode mode, List<String> settings) implements ServerKind {
    enum Mode {
        DATA,
        SENTINEL
    }

    @Override
    public String program() {
        return "redis-server";
    }

    @Override
    public void prepare(ServerSetup setup) {
        ServerPlace place = setup.place();
        List<String> lines = new ArrayList<>(
                List.of("bind " + place.address(), "port " + place.port(), "dir " + place.data(), "protected-mode no"));
        if (mode == Mode.DATA) {
            lines.add("save \"\"");
            lines.add("repl-diskless-sync-delay 0"); // five seconds by default, in the hope of more replicas
        }
        lines.addAll(settings);
        try {
            Files.write(Path.of(file(place)), lines);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public List<String> arguments(ServerPlace place) {
        return mode == Mode.SENTINEL ? List.of(file(place), "--sentinel") : List.of(file(place));
    }

    @Override
    public void probe(String host, int port) throws IOException {
        RedisKind.ping(host, port);
    }

    @Override
    public Optional<ServerImage> image() {
        return Optional.empty();
    }

    private static String file(ServerPlace place) {
        return place.data() + "/redis.conf";
    }
}
