// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Kills this JVM's servers and removes their files when this JVM ends, even by {@code kill -9}, by means of a process
 * of its own. It reads from a pipe, which the kernel closes when this JVM ends; each line lists the servers that run
 * at that moment.
 */
final class ServerReaper {
    private static final String SCRIPT = """
            trap '' HUP INT TERM
            servers=
            while read -r line; do servers=$line; done
            [ -z "$servers" ] || kill -KILL $servers
            rm -rf -- "$1" || { sleep 1; rm -rf -- "$1"; }
            """;

    private static final ServerReaper INSTANCE = new ServerReaper();

    private final Path directory;
    private final Writer pipe;
    private final Set<Long> servers = new TreeSet<>();

    private ServerReaper() {
        try {
            directory = Files.createTempDirectory("mortise-servers-");
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
            Process process = new ProcessBuilder("sh", "-c", SCRIPT, "mortise-servers", directory.toString())
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            pipe = process.outputWriter(StandardCharsets.US_ASCII);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** A directory of this JVM alone that is removed when it ends. Other users can reach files in it but cannot list them. */
    static Path directory() {
        return INSTANCE.directory;
    }

    /** Makes sure that a process does not outlive this JVM. */
    static void register(Process process) {
        INSTANCE.add(process.pid());
        var forgotten = process.onExit().thenAccept(ended -> INSTANCE.remove(ended.pid()));
        assert !forgotten.isCancelled();
    }

    private synchronized void add(long pid) {
        servers.add(pid);
        tell();
    }

    private synchronized void remove(long pid) {
        servers.remove(pid);
        tell();
    }

    private void tell() {
        try {
            pipe.write(servers.stream().map(String::valueOf).collect(Collectors.joining(" ", "", "\n")));
            pipe.flush();
        } catch (IOException failure) {
            throw new UncheckedIOException("the process that ends the servers has ended", failure);
        }
    }
}
