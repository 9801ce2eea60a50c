// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of the pages run: {@code sh} blocks, lines of {@code cron} blocks, and the units in {@code ini} blocks. Each block has
 * a file system of its own: paths such as {@code /var/lib} mean folders of the test, and each program in {@code /usr/local/bin} but
 * the command itself notes that it has run. The stores are in memory: these tests are about command lines, and a disk may be slow.
 */
class DocumentedCommandsTest {
    /** The folders of the examples. */
    private static final Pattern FOLDER = Pattern.compile("/(etc/mortise|var/lib|var/log|usr/local/bin|run/lock)\\b");

    private static final String STORE = "memory:examples";

    private static final Pattern PROGRAM = Pattern.compile("/usr/local/bin/([a-z-]+)");

    /** Minute, hour, day of the month, month and day of the week; then the command. */
    private static final Pattern CRON_LINE = Pattern.compile("(?:[\\d*/,-]+ +){5}(.+)");

    private static final Pattern CRON_VARIABLE = Pattern.compile("([A-Z_]+)=(.*)");

    @TempDir
    private static Path directory;

    @TestFactory
    Stream<DynamicTest> shellBlocksSucceed() {
        return pages().flatMap(page -> page.blocks("sh")
                .map(block -> DynamicTest.dynamicTest(
                        page.name() + ": " + firstLine(block), () -> succeeds(block, Map.of(), block))));
    }

    @TestFactory
    Stream<DynamicTest> cronLinesSucceedInTheEnvironmentOfCron() {
        return pages().flatMap(page -> page.blocks("cron").flatMap(DocumentedCommandsTest::cronLines));
    }

    private static Stream<DynamicTest> cronLines(String block) {
        List<DynamicTest> tests = new ArrayList<>();
        StringBuilder variables = new StringBuilder();
        for (String line : block.split("\n")) {
            if (CRON_VARIABLE.matcher(line).matches()) {
                variables.append("export ").append(line).append('\n');
            } else if (!line.startsWith("#") && !line.isBlank()) {
                String before = variables.toString();
                tests.add(DynamicTest.dynamicTest(line, () -> {
                    assertThat(line).matches(CRON_LINE).doesNotContain("%"); // which cron takes for the end of the line
                    String command = CRON_LINE.matcher(line).replaceFirst("$1");
                    succeeds(line, Map.of("PATH", "/usr/bin:/bin", "SHELL", "/bin/sh"), before + command);
                }));
            }
        }
        return tests.stream();
    }

    @Test
    void unitsOfSystemdAreRight() throws Exception {
        assumeTrue(Files.exists(Path.of("/usr/bin/systemd-analyze")), "there is no systemd-analyze");
        String all = pages().flatMap(page -> page.blocks("ini")).collect(Collectors.joining("\n"));
        Path root = fileSystem(all);
        List<String> command = new ArrayList<>(List.of("/usr/bin/systemd-analyze", "verify", "--man=no"));
        for (MatchResult unit : Pattern.compile("(?ms)^# /etc/systemd/system/(\\S+)\n(.*?)(?=^# /etc/systemd|\\z)")
                .matcher(all)
                .results()
                .toList()) {
            command.add(Files.writeString(root.resolve(unit.group(1)), rooted(root, unit.group(2)))
                    .toString());
        }

        assertThat(command).hasSizeGreaterThan(5);
        Jvm.Outcome verified = jvm().run(root, command);
        assertThat(verified.status()).as(verified.err()).isZero();
        assertThat(verified.err()).doesNotContain(root.toString(), "ignoring");
    }

    private static Stream<Document> pages() {
        return Document.all().stream().filter(Document::isPage);
    }

    /** Runs a script, and expects it to run every program that it names. */
    private static void succeeds(String named, Map<String, String> environment, String script) throws Exception {
        Path root = fileSystem(named);

        Jvm.Outcome outcome = sh(root, environment, script);

        assertThat(outcome.status()).as("%s%s", outcome.out(), outcome.err()).isZero();
        assertThat(programs(named))
                .allMatch(program -> Files.exists(root.resolve("ran").resolve(program)));
    }

    private static Jvm.Outcome sh(Path root, Map<String, String> environment, String script) throws Exception {
        // The file that names the store would be the machine's otherwise, and without one, the store that of this user.
        List<String> command = new ArrayList<>(
                List.of("/usr/bin/env", "-i", "HOME=" + root, "XDG_CONFIG_HOME=" + root.resolve("etc")));
        environment.forEach((name, value) -> command.add(name + "=" + value));
        if (!environment.containsKey("PATH")) {
            command.add("MORTISE_STORE=" + STORE);
            command.add("PATH=" + root.resolve("usr/local/bin") + ":/usr/bin:/bin");
        }
        command.addAll(List.of("/bin/sh", "-euc", rooted(root, script)));
        return jvm().run(root, command);
    }

    private static Jvm jvm() {
        return new Jvm(Path.of(System.getProperty("java.home")));
    }

    /** A new file system with the command, and with all other programs that a text names. */
    private static Path fileSystem(String text) throws IOException {
        Path root = Files.createTempDirectory(directory, "root");
        for (String folder : List.of("etc/mortise", "var/lib/app", "var/log", "usr/local/bin", "run/lock", "ran")) {
            Files.createDirectories(root.resolve(folder));
        }
        Files.writeString(root.resolve("etc/mortise/store"), STORE);
        program(
                root,
                "mortise",
                "exec '" + jvm().home().resolve("bin/java") + "' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto"
                        + " -Xmx128m -cp '" + System.getProperty("java.class.path")
                        + "' io.mortise.lock.cli.Main \"$@\"");
        for (String name : programs(text)) {
            program(root, name, "touch '" + root.resolve("ran") + "/'" + name);
        }
        return root;
    }

    private static void program(Path root, String name, String script) throws IOException {
        Path file = Files.writeString(root.resolve("usr/local/bin").resolve(name), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Set<String> programs(String text) {
        return PROGRAM.matcher(text)
                .results()
                .map(found -> found.group(1))
                .filter(name -> !name.equals("mortise"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String rooted(Path root, String text) {
        return FOLDER.matcher(text.replace("jdbc:sqlite:", "memory:")).replaceAll(found -> root + found.group());
    }

    private static String firstLine(String block) {
        return block.lines().findFirst().orElse("");
    }
}
