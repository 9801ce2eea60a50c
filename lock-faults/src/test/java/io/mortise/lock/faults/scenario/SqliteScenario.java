// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.scenario;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A SQLite file, on a small file system of its own where this process may mount one. */
public final class SqliteScenario extends DatabaseScenario {
    private final Path folder;
    private final boolean isMounted;

    /** In a directory that is removed at the end. */
    public SqliteScenario() {
        try {
            folder = Files.createTempDirectory("mortise-faults-sqlite-");
            isMounted = run("mount", "-t", "tmpfs", "-o", "size=16m", "mortise-faults", folder.toString());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public List<Fault> faults() {
        List<Fault> faults = new ArrayList<>(List.of(
                Fault.of("file locked", random -> {
                    Connection alone = DriverManager.getConnection(url());
                    try (Statement statement = alone.createStatement()) {
                        statement.execute("pragma busy_timeout = 20000");
                        statement.execute("begin immediate");
                    } catch (SQLException failure) {
                        alone.close();
                        throw failure;
                    }
                    return alone::close;
                }),
                Fault.of("file removed", random -> {
                            for (String suffix : List.of("", "-wal", "-shm")) {
                                Files.deleteIfExists(folder.resolve("locks.db" + suffix));
                            }
                            return () -> {};
                        })
                        .with(FORGETS)));
        if (isMounted) {
            faults.add(Fault.of("disk full", random -> {
                Path rest = folder.resolve("rest");
                fill(rest);
                return () -> Files.deleteIfExists(rest);
            }));
        }
        return faults;
    }

    private static void fill(Path file) {
        try (OutputStream output = Files.newOutputStream(file)) {
            byte[] block = new byte[4096];
            while (true) {
                output.write(block);
            }
        } catch (IOException full) {
            // as was wanted
        }
    }

    @Override
    public List<String> leftOut() {
        List<String> reasons = new ArrayList<>(List.of(
                "permission withdrawn: who has a file open goes on writing, whatever its mode says, and root always may",
                "clocks of hosts: all clients are on one"));
        if (!isMounted) {
            reasons.add("disk full: this process may not mount a small file system; run as root");
        }
        return reasons;
    }

    @Override
    public boolean isRemote() {
        return false;
    }

    @Override
    String administratorUrl() {
        return url();
    }

    @Override
    public String url() {
        return "jdbc:sqlite:" + file();
    }

    /** The file. */
    public Path file() {
        return folder.resolve("locks.db");
    }

    @Override
    public Route route() {
        return Route.direct(url());
    }

    @Override
    protected void stop() {
        try {
            if (isMounted) {
                run("umount", folder.toString());
            }
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted((one, other) -> other.compareTo(one))
                        .forEach(file -> file.toFile().delete());
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static boolean run(String... command) throws IOException {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getInputStream().readAllBytes();
            return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException noSuchProgram) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
