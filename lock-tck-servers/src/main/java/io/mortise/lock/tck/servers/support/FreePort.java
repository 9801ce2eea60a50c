// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.support;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port of this machine that nobody listens on. It is below those that the kernel gives to outgoing connections: a client that
 * tries again and again while the server is down would else, one day, get the server's own port and be connected to itself.
 */
public final class FreePort {
    private static final int LOWEST = 10_000;
    private static final int BEYOND = 32_000;

    /** The ports that this JVM has picked: a server that is down for a moment keeps its port. */
    private static final Set<Integer> TAKEN = ConcurrentHashMap.newKeySet();

    private FreePort() {}

    /**
     * Picks one at random.
     *
     * @return a port that this JVM has not picked before
     */
    public static int pick() {
        for (int attempt = 0; attempt < 1000; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, BEYOND);
            if (TAKEN.add(port) && isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port between " + LOWEST + " and " + BEYOND);
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return probe.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
