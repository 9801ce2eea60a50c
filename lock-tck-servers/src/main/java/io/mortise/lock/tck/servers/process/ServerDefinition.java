// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.process;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Defines how to run one server: its program, its arguments, its data, and how to find out that it answers.
 * Implementations keep no state: one may start many servers.
 */
public interface ServerDefinition {
    /**
     * The name of the server's program. A missing program is fetched if {@code servers.sh} of this module knows its package; else the
     * image is used instead.
     *
     * @return such as {@code redis-server}
     */
    String program();

    /**
     * The path of the program, for one that need not be looked for.
     *
     * @return empty by default: the program is looked for by its name
     * @throws ServerUnavailableException if the server cannot run on this machine
     */
    default Optional<Path> executable() {
        return Optional.empty();
    }

    /**
     * What it is started with.
     *
     * @param location where to listen, and where to keep data
     * @return its arguments, without the program
     */
    List<String> arguments(ServerLocation location);

    /**
     * What its environment has besides that of this JVM.
     *
     * @param location where it listens and keeps data
     * @return values by name, none by default
     */
    default Map<String, String> environment(ServerLocation location) {
        return Map.of();
    }

    /**
     * Finds out whether the server answers now.
     *
     * @param connection a new connection to the server; a read on it that takes more than a second fails
     * @throws IOException if it does not answer yet
     */
    void probe(Socket connection) throws IOException;

    /**
     * Fills an empty data directory before the server's first start, and again after it has lost its data. Does nothing by default.
     *
     * @param setup runs the programs that are needed
     * @throws IOException if a file cannot be written
     */
    default void prepare(ServerSetup setup) throws IOException {}

    /**
     * Whether it refuses to run as root. A test that runs as root then starts it as {@code nobody}.
     *
     * @return false by default
     */
    default boolean refusesRoot() {
        return false;
    }

    /**
     * The signal that ends it soon and in an orderly way, even while clients are connected.
     *
     * @return a signal's name, {@code TERM} by default
     */
    default String stopSignal() {
        return "TERM";
    }

    /**
     * How long it may take to answer.
     *
     * @return one minute by default: machines that run tests are busy
     */
    default Duration startLimit() {
        return Duration.ofMinutes(1);
    }

    /**
     * The image that is used if the program is missing.
     *
     * @return empty by default: this server does not run in Docker
     */
    default Optional<ServerImage> image() {
        return Optional.empty();
    }
}
