// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How to run a kind of server. Implementations keep no state: one may start many servers. */
public interface ServerKind {
    /**
     * The server's program. Where it is missing it is fetched, if {@code servers.sh} of this module knows its package; else the image
     * takes its place.
     *
     * @return such as {@code redis-server}
     */
    String program();

    /**
     * What it is started with.
     *
     * @param place where to listen, and where to keep data
     * @return its arguments, without the program
     */
    List<String> arguments(ServerPlace place);

    /**
     * What its environment has besides that of this JVM.
     *
     * @param place where it listens and keeps data
     * @return values by name, none by default
     */
    default Map<String, String> environment(ServerPlace place) {
        return Map.of();
    }

    /**
     * Finds out whether the server answers, at once: every wait of its own is limited to about a second.
     *
     * @param host where it listens
     * @param port where it listens
     * @throws IOException if it does not answer yet
     */
    void probe(String host, int port) throws IOException;

    /**
     * Makes an empty data directory ready, before the server's first start and after it has lost its data. Nothing by default.
     *
     * @param setup runs what it takes
     */
    default void prepare(ServerSetup setup) {}

    /**
     * Whether it will not run as root. A test that runs as root then starts it as {@code nobody}.
     *
     * @return false by default
     */
    default boolean refusesRoot() {
        return false;
    }

    /**
     * The signal that ends it soon, in an orderly way, connected clients or not.
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
     * The image that takes the place of a missing program.
     *
     * @return empty by default: this server does not run in Docker
     */
    default Optional<ServerImage> image() {
        return Optional.empty();
    }
}
