// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/** A machine below a directory: a PATH with the base system's tools and nothing else. */
final class BareMachine {
    private static final List<String> TOOLS = List.of(
            "cat", "chmod", "dirname", "flock", "grep", "head", "mkdir", "mv", "rm", "sed", "sh", "sort", "tail",
            "timeout", "touch", "uname");

    private final Path directory;
    private final Path bin;

    BareMachine(Path directory) throws IOException {
        this.directory = directory;
        bin = Files.createDirectories(directory.resolve("bin"));
        for (String tool : TOOLS) {
            script(bin.resolve(tool), "exec '" + onThisMachine(tool) + "' \"$@\"");
        }
    }

    Path cache() {
        return directory.resolve("cache");
    }

    /** Puts a program that starts into one of the machine's directories. */
    Path install(String where, String program) throws IOException {
        return script(Files.createDirectories(directory.resolve(where)).resolve(program), "exit 0");
    }

    /** An apt-get that downloads a package and the standard library, and a dpkg that unpacks them all as the program. */
    void haveApt() throws IOException {
        script(
                bin.resolve("apt-get"),
                "echo \"$@\" >>'" + calls() + "'",
                "archives=$(sed -n 's/^Dir::Cache \"\\(.*\\)\";/\\1/p' \"$2\")/archives",
                "for last; do :; done",
                "case $last in",
                "    update) ;;",
                "    *) touch \"$archives/${last}_1.deb\" \"$archives/libc6_2.deb\" ;;",
                "esac");
        script(
                bin.resolve("dpkg"),
                "echo \"$2\" >>\"$3/unpacked\"",
                "mkdir -p \"$3/usr/bin\" \"$3/usr/lib\"",
                "for program in etcd faketime memcached mariadbd pgbouncer postgres redis-server; do",
                "    printf '#!/bin/sh\\nexit 0\\n' >\"$3/usr/bin/$program\"",
                "    chmod +x \"$3/usr/bin/$program\"",
                "done");
    }

    /** A dpkg that unpacks half, and is killed with the script. */
    void breakDpkg() throws IOException {
        script(bin.resolve("dpkg"), "mkdir -p \"$3/usr/bin\"", "kill -KILL $PPID $$");
    }

    void haveAptWithoutNetwork() throws IOException {
        script(bin.resolve("dpkg"), "exit 1");
        script(
                bin.resolve("apt-get"),
                "for last; do :; done",
                "case $last in",
                "    update) echo 'W: Failed to fetch http://mirror/InRelease' ;;",
                "    *) echo \"E: Unable to locate package $last\" && exit 100 ;;",
                "esac");
    }

    /** What apt-get was called with, in order. */
    List<String> aptCalls() throws IOException {
        return Files.exists(calls()) ? Files.readAllLines(calls()) : List.of();
    }

    Path find(String program) {
        return program(program).path();
    }

    ServerProgram program(String program) {
        return ServerProgram.find(program, environment());
    }

    CommandResult script(String argument) throws IOException {
        try (InputStream source = BareMachine.class.getResourceAsStream("servers.sh")) {
            Path script = Files.write(directory.resolve("servers.sh"), source.readAllBytes());
            ProcessBuilder command = new ProcessBuilder(bin.resolve("sh").toString(), script.toString(), argument);
            command.environment().putAll(environment());
            return CommandResult.of(command);
        }
    }

    private Map<String, String> environment() {
        return Map.of(
                "PATH", bin.toString(),
                "MORTISE_SERVERS_CACHE", cache().toString(),
                "MORTISE_SERVERS_ROOT", directory.resolve("root").toString());
    }

    private Path calls() {
        return directory.resolve("apt.calls");
    }

    private static Path script(Path file, String... lines) throws IOException {
        Files.write(file, ("#!/bin/sh\n" + String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Path onThisMachine(String tool) {
        CommandResult where = CommandResult.of(new ProcessBuilder("sh", "-c", "command -v " + tool));
        if (where.status() != 0) {
            throw new UncheckedIOException(new IOException("no " + tool + " on this machine"));
        }
        return Path.of(where.out().strip());
    }
}
