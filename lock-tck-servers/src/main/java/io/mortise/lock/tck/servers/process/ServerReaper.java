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

/**
 * Kills this JVM's servers and removes their files when this JVM ends, even by {@code kill -9}, by means of a process
 * of its own. It reads from a pipe, which the kernel closes when this JVM ends; each line lists the servers that run
 * at that moment, each as the number of its process and the time of its start. Linux soon gives the number of a process that has
 * ended to another one, which started at another time.
 */
final class ServerReaper {
    private static final String SCRIPT = """
            trap '' HUP INT TERM
            servers=
            while read -r line; do servers=$line; done
            started() { stat=$(cat "/proc/$1/stat") && set -- ${stat##*") "} && echo "${20}"; }
            for server in $servers; do
                [ "$(started "${server%:*}")" != "${server#*:}" ] || kill -KILL "${server%:*}"
            done
            rm -rf -- "$1" || { sleep 1; rm -rf -- "$1"; }
            """;

    /** Of the words behind the name of a process in its {@code stat}. */
    private static final int STARTED = 19;

    private static final ServerReaper INSTANCE = new ServerReaper();

    private final Path directory;
    private final Writer pipe;
    private final Set<String> servers = new TreeSet<>();

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
        String server = name(process.pid(), started(process.pid()));
        INSTANCE.add(server);
        var forgotten = process.onExit().thenRun(() -> INSTANCE.remove(server));
        assert !forgotten.isCancelled();
    }

    /** The same for a process that started at a given time, in clock ticks since the boot. */
    static void register(long pid, String started) {
        INSTANCE.add(name(pid, started));
    }

    private static String name(long pid, String started) {
        return pid + ":" + started;
    }

    /** As the script reads it; empty where there is no such file, and so no difference. */
    private static String started(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", String.valueOf(pid), "stat"), StandardCharsets.ISO_8859_1);
            return stat.substring(stat.lastIndexOf(") ") + 2).split(" ")[STARTED];
        } catch (IOException noneOrEnded) {
            return "";
        }
    }

    private synchronized void add(String server) {
        servers.add(server);
        tell();
    }

    private synchronized void remove(String server) {
        servers.remove(server);
        tell();
    }

    private void tell() {
        try {
            pipe.write(String.join(" ", servers) + "\n");
            pipe.flush();
        } catch (IOException failure) {
            throw new UncheckedIOException("the process that ends the servers has ended", failure);
        }
    }
}
