// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.definition;

import io.mortise.lock.tck.servers.process.ServerDefinition;
import io.mortise.lock.tck.servers.process.ServerLocation;
import io.mortise.lock.tck.servers.process.ServerSetup;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Defines how to run a memcached server with SASL, which asks for a user and a password and lets a
 * {@link SaslPasswordServer} check them. Not in a container: it could not reach the socket.
 *
 * @param passwords the socket to ask
 */
public record SaslMemcachedDefinition(Path passwords) implements ServerDefinition {
    private static final ServerDefinition PLAIN = new MemcachedDefinition(false, List.of("-S"));

    @Override
    public String program() {
        return PLAIN.program();
    }

    @Override
    public List<String> arguments(ServerLocation location) {
        return PLAIN.arguments(location);
    }

    @Override
    public void prepare(ServerSetup setup) throws IOException {
        Files.writeString(
                Path.of(setup.location().data(), "memcached.conf"),
                "mech_list: plain\npwcheck_method: saslauthd\nsaslauthd_path: " + passwords + "\n");
    }

    /** The directories of the mechanisms: beside the program if it was fetched, and the usual ones. */
    @Override
    public Map<String, String> environment(ServerLocation location) {
        List<String> directories = new ArrayList<>();
        for (String root : List.of(location.root(), "")) {
            for (String architecture : List.of("x86_64", "aarch64")) {
                directories.add(root + "/usr/lib/" + architecture + "-linux-gnu/sasl2");
            }
            directories.add(root + "/usr/lib/sasl2");
            directories.add(root + "/usr/lib64/sasl2");
        }
        directories.removeIf(directory -> !Files.isDirectory(Path.of(directory)));
        return Map.of("SASL_CONF_PATH", location.data(), "SASL_PATH", String.join(":", directories));
    }

    @Override
    public void probe(Socket connection) throws IOException {
        PLAIN.probe(connection);
    }

    @Override
    public boolean refusesRoot() {
        return PLAIN.refusesRoot();
    }
}
