// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.scenario;

import io.mortise.lock.tck.servers.process.ServerDefinition;
import io.mortise.lock.tck.servers.process.ServerLocation;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Defines how to run an H2 server: a JVM with the class path of this one. */
record H2Definition() implements ServerDefinition {
    @Override
    public String program() {
        return "h2";
    }

    @Override
    public Optional<Path> executable() {
        return Optional.of(Path.of(System.getProperty("java.home"), "bin", "java"));
    }

    @Override
    public List<String> arguments(ServerLocation location) {
        return List.of(
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "org.h2.tools.Server",
                "-tcp",
                "-tcpPort",
                String.valueOf(location.port()),
                "-ifNotExists",
                "-baseDir",
                location.data());
    }

    /** That it takes the connection is enough. */
    @Override
    public void probe(Socket connection) {}
}
