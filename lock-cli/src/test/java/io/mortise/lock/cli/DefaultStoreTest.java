// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the default store is, for which user, and which files are refused. */
class DefaultStoreTest {
    private static final String NOBODY = "65534";
    private static final String WITHOUT_PASSWD_ENTRY = "54321";
    private static final Path OWN = Path.of("/proc/self");

    @TempDir
    private Path directory;

    private Path home;

    @BeforeEach
    void makeHome() throws IOException {
        allow(directory, "rwxr-xr-x");
        home = Files.createDirectory(directory.resolve("home"));
    }

    private static boolean isRoot() throws IOException {
        return Files.getAttribute(OWN, "unix:uid").equals(0);
    }

    private static void allow(Path file, String permissions) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    /** As another user if this one is root, else as this one. The variables are all that there are, besides the path. */
    private Mortise asUser(String user, Map<String, String> variables, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            Files.setAttribute(home, "unix:uid", Integer.parseInt(user));
            command.addAll(List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups"));
        }
        command.addAll(List.of("env", "-i", "PATH=" + System.getenv("PATH")));
        variables.forEach((name, value) -> command.add(name + "=" + value));
        List<String> mortise = Mortise.commandLine(arguments);
        int classPath = mortise.indexOf("-cp") + 1;
        mortise.set(classPath, readable(mortise.get(classPath)));
        command.addAll(mortise);
        return Mortise.start(directory, Map.of(), Path.of("/dev/null"), command);
    }

    /** The class path where every user can read it. */
    private String readable(String classPath) throws IOException {
        Path copies = directory.resolve("classes");
        List<String> copied = new ArrayList<>();
        boolean isNew = !Files.exists(copies);
        if (isNew) {
            Files.createDirectory(copies);
            allow(copies, "rwxr-xr-x");
        }
        for (String part : classPath.split(File.pathSeparator)) {
            Path from = Path.of(part);
            Path to = copies.resolve(copied.size() + "-" + from.getFileName());
            copied.add(to.toString());
            if (isNew && Files.exists(from)) {
                copy(from, to);
            }
        }
        return String.join(File.pathSeparator, copied);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : all.toList()) {
                Path target = to.resolve(from.relativize(each).toString());
                Files.copy(each, target);
                allow(target, Files.isDirectory(target) ? "rwxr-xr-x" : "rw-r--r--");
            }
        }
    }

    private void isPrivate(Path file) throws IOException {
        assertThat(permissions(file)).isEqualTo("rw-------");
        Path folder = Objects.requireNonNull(file.getParent());
        assertThat(permissions(folder)).isEqualTo("rwx------");
        assertThat(folder).isDirectoryNotContaining("glob:**/?");
    }

    @Test
    @DisplayName("an ordinary user has it in the home directory, and nobody else can read it, whatever the umask")
    void ordinaryUser() throws IOException {
        try (Mortise mortise = asUser(
                NOBODY,
                Map.of("HOME", home.toString()),
                "run",
                "job",
                "--",
                "sh",
                "-c",
                "ls -l " + home + "/.local/state/mortise")) {
            assertThat(mortise.exitCode()).as(mortise.err()).isZero();
            assertThat(mortise.out().lines().filter(line -> line.contains("locks.db")))
                    .hasSize(3)
                    .allSatisfy(line -> assertThat(line).startsWith("-rw-------"));
        }
        isPrivate(home.resolve(".local/state/mortise/locks.db"));
    }

    @Test
    @DisplayName("a user without a home directory is told so, and no folder is made; a store that is named works")
    void withoutHome() throws IOException {
        assumeTrue(isRoot(), "only root can become a user without an entry in passwd");
        try (Mortise without = asUser(WITHOUT_PASSWD_ENTRY, Map.of(), "run", "job", "--", "true");
                Mortise named = asUser(
                        WITHOUT_PASSWD_ENTRY,
                        Map.of("MORTISE_STORE", "jdbc:sqlite:" + home.resolve("named.db")),
                        "run",
                        "job",
                        "--",
                        "true")) {
            assertThat(without.exitCode()).isEqualTo(64);
            assertThat(without.err()).contains("no home directory", "--store");
            assertThat(directory.resolve("?")).doesNotExist();
            assertThat(named.exitCode()).as(named.err()).isZero();
        }
    }

    @Test
    @DisplayName("a service of systemd has it in the folder for its state")
    void stateDirectory() throws IOException {
        try (Mortise mortise = asUser(
                WITHOUT_PASSWD_ENTRY,
                Map.of("STATE_DIRECTORY", home + ":/other", "HOME", "/"),
                "run",
                "job",
                "--",
                "true")) {
            assertThat(mortise.exitCode()).as(mortise.err()).isZero();
        }
        isPrivate(home.resolve("mortise/locks.db"));
    }

    @Test
    @DisplayName("the root user has it below /var/lib, whoever's home directory HOME names")
    void root() throws IOException {
        List<String> command = new ArrayList<>(isRoot() ? List.of() : List.of("unshare", "--map-root-user"));
        command.addAll(List.of("env", "-u", "XDG_STATE_HOME", "HOME=" + home));
        command.addAll(Mortise.commandLine("--help"));
        try (Mortise help = Mortise.start(directory, Map.of(), Path.of("/dev/null"), command)) {
            assertThat(help.exitCode()).as(help.err()).isZero();
            assertThat(help.out()).contains("/var/lib/mortise/locks.db");
        }
    }

    @Test
    @DisplayName("64 in one sentence if its folder cannot be made")
    void readOnlyHome() throws IOException {
        Path closed = Files.createDirectory(directory.resolve("closed"));
        allow(closed, isRoot() ? "rwxr-xr-x" : "r-xr-xr-x");
        try (Mortise mortise = asUser(NOBODY, Map.of("HOME", closed.toString()), "run", "job", "--", "true")) {
            assertThat(mortise.exitCode()).isEqualTo(64);
            assertThat(mortise.err()).contains("cannot be made", "--store").hasLineCount(1);
        }
        assertThat(closed).isEmptyDirectory();
    }

    @Test
    @DisplayName("a link to a file that belongs to another user is refused")
    void linkToAnother() throws IOException {
        assumeTrue(isRoot(), "only root can make files of two users");
        Path mine = Files.createDirectory(directory.resolve("mortise"));
        Path theirs = Files.createFile(home.resolve("theirs.db"));
        Files.setAttribute(theirs, "unix:uid", Integer.parseInt(NOBODY));
        Files.createSymbolicLink(mine.resolve("locks.db"), theirs);
        try (Mortise mortise = Mortise.start(directory, "run", "job", "--", "true")) {
            assertThat(mortise.exitCode()).isEqualTo(64);
            assertThat(mortise.err()).contains(theirs + " belongs to another user");
        }
    }

    @Test
    @DisplayName("a file that others can write is refused; where it is named, a warning goes before the command")
    void openToOthers() throws IOException {
        try (Mortise mortise = Mortise.start(directory, "run", "job", "--", "true")) {
            assertThat(mortise.exitCode()).as(mortise.err()).isZero();
        }
        Path file = directory.resolve("mortise/locks.db");
        allow(file, "rw-rw-rw-");
        try (Mortise refused = Mortise.start(directory, "run", "job", "--", "true");
                Mortise warned =
                        Mortise.start(directory, "run", "--store", "jdbc:sqlite:" + file, "job", "--", "true")) {
            assertThat(refused.exitCode()).isEqualTo(64);
            assertThat(refused.err()).contains("chmod go-w " + file).hasLineCount(1);
            assertThat(warned.exitCode()).as(warned.err()).isZero();
            assertThat(warned.err()).contains("chmod go-w " + file);
        }
    }

    @Test
    @DisplayName("64, with what to do, if the driver cannot unpack its library")
    void withoutTemporaryFolder() {
        List<String> command = Mortise.commandLine("run", "job", "--", "true");
        command.add(1, "-Djava.io.tmpdir=" + directory.resolve("none"));
        command.add(1, "-Dorg.sqlite.tmpdir=" + directory.resolve("none"));
        try (Mortise mortise = Mortise.start(directory, Map.of(), Path.of("/dev/null"), command)) {
            assertThat(mortise.exitCode()).as(mortise.err()).isEqualTo(64);
            assertThat(mortise.err()).contains("-Dorg.sqlite.tmpdir=");
        }
    }
}
