// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How to run a memcached that asks for a user and a password, which are checked elsewhere. Not in a container: it could not reach
 * the socket.
 *
 * @param passwords the socket to ask
 */
record SaslMemcachedKind(Path passwords) implements ServerKind {
    private static final ServerKind PLAIN = new MemcachedKind(false, List.of("-S"));

    @Override
    public String program() {
        return PLAIN.program();
    }

    @Override
    public List<String> arguments(ServerPlace place) {
        return PLAIN.arguments(place);
    }

    @Override
    public void prepare(ServerSetup setup) {
        try {
            Files.writeString(
                    Path.of(setup.place().data(), "memcached.conf"),
                    "mech_list: plain\npwcheck_method: saslauthd\nsaslauthd_path: " + passwords + "\n");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Where the mechanisms are: beside the program if it was fetched, and in the usual place. */
    @Override
    public Map<String, String> environment(ServerPlace place) {
        List<String> directories = new ArrayList<>();
        for (String root : List.of(place.root(), "")) {
            for (String architecture : List.of("x86_64", "aarch64")) {
                directories.add(root + "/usr/lib/" + architecture + "-linux-gnu/sasl2");
            }
            directories.add(root + "/usr/lib/sasl2");
            directories.add(root + "/usr/lib64/sasl2");
        }
        directories.removeIf(directory -> !Files.isDirectory(Path.of(directory)));
        return Map.of("SASL_CONF_PATH", place.data(), "SASL_PATH", String.join(":", directories));
    }

    @Override
    public void probe(String host, int port) throws IOException {
        PLAIN.probe(host, port);
    }

    @Override
    public boolean refusesRoot() {
        return PLAIN.refusesRoot();
    }
}
