// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.definition;

import io.mortise.lock.tck.servers.process.ServerDefinition;
import io.mortise.lock.tck.servers.process.ServerImage;
import io.mortise.lock.tck.servers.process.ServerLocation;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Defines how to run a memcached server.
 *
 * @param keepsItems whether an orderly stop keeps the items for the next start
 * @param further arguments after those that set address, port and files
 */
public record MemcachedDefinition(boolean keepsItems, List<String> further) implements ServerDefinition {
    /** "What is your version?" in the binary protocol, the only one that a server with SASL speaks. */
    private static final byte[] VERSION = new byte[24];

    static {
        VERSION[0] = (byte) 0x80;
        VERSION[1] = 0x0b;
    }

    @Override
    public String program() {
        return "memcached";
    }

    @Override
    public List<String> arguments(ServerLocation location) {
        List<String> arguments =
                new ArrayList<>(List.of("-l", location.address(), "-p", String.valueOf(location.port()), "-U", "0"));
        if (keepsItems) {
            arguments.addAll(List.of("-e", location.data() + "/items"));
        }
        arguments.addAll(further);
        return arguments;
    }

    @Override
    public void probe(Socket connection) throws IOException {
        connection.getOutputStream().write(VERSION);
        new DataInputStream(connection.getInputStream()).readFully(new byte[VERSION.length]);
    }

    @Override
    public boolean refusesRoot() {
        return true;
    }

    /** Only this one writes down what a restart needs to find the items again. */
    @Override
    public String stopSignal() {
        return keepsItems ? "USR1" : "TERM";
    }

    @Override
    public Optional<ServerImage> image() {
        return Optional.of(new ServerImage("memcached:1.6", 11211, "/tmp", Map.of()));
    }
}
