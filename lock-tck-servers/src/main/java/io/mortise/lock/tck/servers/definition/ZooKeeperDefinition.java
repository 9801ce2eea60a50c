// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.definition;

import io.mortise.lock.tck.servers.process.JvmClassPath;
import io.mortise.lock.tck.servers.process.ServerDefinition;
import io.mortise.lock.tck.servers.process.ServerLocation;
import io.mortise.lock.tck.servers.process.ServerSetup;
import io.mortise.lock.tck.servers.process.ServerUnavailableException;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Defines how to run a ZooKeeper server: a JVM. It ticks ten times a second, so that
 * the sessions of the dead end soon, and leaves flushing to the system, which loses nothing but in a power cut.
 *
 * @param settings lines of {@code zoo.cfg}
 * @param member its number in an ensemble, or empty if it is alone
 * @param classPath of that JVM
 */
public record ZooKeeperDefinition(List<String> settings, Optional<Integer> member, JvmClassPath classPath)
        implements ServerDefinition {
    private static final String MAIN = "org.apache.zookeeper.server.quorum.QuorumPeerMain";
    private static final List<String> DEFAULTS = List.of(
            "tickTime=100",
            "maxSessionTimeout=60000",
            "initLimit=50",
            "syncLimit=50",
            "maxClientCnxns=0",
            "admin.enableServer=false",
            "4lw.commands.whitelist=*");

    /** The JVM of the tests. */
    @Override
    public Optional<Path> executable() {
        try {
            Class.forName(MAIN, false, ZooKeeperDefinition.class.getClassLoader());
        } catch (ClassNotFoundException missing) {
            throw new ServerUnavailableException("no ZooKeeper on the class path of this test: add"
                    + " org.apache.zookeeper:zookeeper, and io.dropwizard.metrics:metrics-core and"
                    + " org.xerial.snappy:snappy-java, which its server needs");
        }
        return Optional.of(Path.of(System.getProperty("java.home"), "bin", "java"));
    }

    @Override
    public String program() {
        return "zookeeper";
    }

    @Override
    public List<String> arguments(ServerLocation location) {
        return List.of(
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dzookeeper.forceSync=no",
                // Members that could not tell each other their votes try again soon, not after a minute.
                "-Dzookeeper.fastleader.maxNotificationInterval=500",
                "-Dznode.container.checkIntervalMs=500",
                "-cp",
                classPath.toString(),
                MAIN,
                configuration(location).toString());
    }

    @Override
    public void prepare(ServerSetup setup) throws IOException {
        ServerLocation location = setup.location();
        List<String> lines = new ArrayList<>(DEFAULTS);
        lines.add("dataDir=" + location.data());
        lines.add("clientPortAddress=" + location.address());
        lines.add("clientPort=" + location.port());
        lines.addAll(settings);
        Files.write(configuration(location), lines);
        if (member.isPresent()) {
            Files.writeString(Path.of(location.data(), "myid"), String.valueOf(member.get()));
        }
    }

    /** Says that this server runs; not that a majority does. */
    @Override
    public void probe(Socket connection) throws IOException {
        String answer = ask(connection, "ruok");
        if (!answer.equals("imok")) {
            throw new IOException("it says '" + answer + "'");
        }
    }

    /** Sends one of the "four letter words", commands that a server answers without a session; it then closes the connection. */
    public static String ask(Socket connection, String word) throws IOException {
        connection.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
        return new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static Path configuration(ServerLocation location) {
        return Path.of(location.data(), "zoo.cfg");
    }
}
