// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The program of a server on this machine, installed or fetched as a package.
 *
 * @param path the program
 * @param root the root of the tree that its package was unpacked in; empty if it is installed
 * @param libraries the directories of libraries that it needs besides the machine's, joined by colons; empty if none
 */
record ServerProgram(Path path, Optional<Path> root, String libraries) {
    private static final String SCRIPT = script();

    /** Exit status of the script: the program is not here and cannot be fetched. */
    private static final int UNAVAILABLE = 69;

    /** Finds it on the PATH, in the cache, or with Debian's package tools: seconds, or minutes on a slow network. */
    static ServerProgram find(String program) {
        String cache = System.getProperty("mortise.servers.cache");
        return find(program, cache == null ? Map.of() : Map.of("MORTISE_SERVERS_CACHE", cache));
    }

    static ServerProgram find(String program, Map<String, String> environment) {
        ProcessBuilder script = new ProcessBuilder("sh", "-c", SCRIPT, "servers.sh", "find", program);
        script.environment().putAll(environment);
        CommandResult result = CommandResult.of(script);
        if (result.status() == UNAVAILABLE) {
            throw new ServerUnavailableException(result.err().strip());
        }
        if (result.status() != 0) {
            throw new IllegalStateException("cannot look for " + program + ": " + result);
        }
        List<String> lines = result.out().lines().toList();
        return new ServerProgram(
                Path.of(lines.get(0)),
                Optional.of(lines.get(1)).filter(root -> !root.isEmpty()).map(Path::of),
                lines.get(2));
    }

    /** The same program below another root, to which its tree was copied. */
    ServerProgram at(Path newRoot) {
        Path old = root.orElseThrow();
        return new ServerProgram(
                newRoot.resolve(old.relativize(path)),
                Optional.of(newRoot),
                libraries.replace(old + "/", newRoot + "/"));
    }

    void addLibraries(ProcessBuilder command) {
        if (!libraries.isEmpty()) {
            command.environment().put("LD_LIBRARY_PATH", libraries);
        }
    }

    private static String script() {
        try (@Nullable InputStream script = ServerProgram.class.getResourceAsStream("servers.sh")) {
            if (script == null) {
                throw new IllegalStateException("servers.sh is missing from this module");
            }
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
