// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Picks ports of this machine that nobody listens on. They are below those that the kernel gives to outgoing connections: a client that
 * tries again and again while the server is down would else, one day, get the server's own port and be connected to itself.
 */
public final class FreePort {
    private static final int LOWEST = 10_000;
    private static final int BEYOND = 32_000;

    /** The ports that this JVM has picked: a server that is down for a moment keeps its port. */
    private static final Set<Integer> TAKEN = ConcurrentHashMap.newKeySet();

    /** A byte of a file for each port. It is locked by the JVM that has picked the port, until that JVM ends. */
    private static final FileChannel RESERVATIONS = open(Path.of(
            System.getProperty("java.io.tmpdir"), "mortise-ports-" + System.getProperty("user.name") + ".lock"));

    private FreePort() {}

    /** Picks one at random that neither this JVM nor another JVM of this user that still runs has picked before. */
    public static int pick() {
        for (int attempt = 0; attempt < 1000; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, BEYOND);
            if (TAKEN.add(port) && reserve(port) && isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port between " + LOWEST + " and " + BEYOND);
    }

    /** Whether no other JVM has picked it. */
    static boolean reserve(int port) {
        try {
            return RESERVATIONS.tryLock(port, 1, false) != null;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static FileChannel open(Path file) {
        try {
            return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return probe.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
