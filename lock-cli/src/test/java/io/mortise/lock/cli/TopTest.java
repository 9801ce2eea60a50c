// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table of {@code mortise top}. */
class TopTest {
    private static final String FIRST_SCREEN = "\u001b[?1049l";

    @TempDir
    private Path directory;

    private String store() {
        return "jdbc:sqlite:" + directory.resolve("locks.db");
    }

    @Test
    @DisplayName("without a terminal one table is printed")
    void once() throws Exception {
        try (LockClient client = LockClient.connect(store());
                Lease one = client.lock("orders/1", LockOptions.defaults().withLabel("ann@db1"))
                        .acquire();
                Lease other = client.lock("other\u001b[2J").acquire();
                Mortise all = Mortise.start(directory, "top", "--store", store());
                Mortise some = Mortise.start(directory, "top", "--once", "--store", store(), "orders/")) {
            assertThat(all.exitCode()).as(all.err()).isZero();
            assertThat(all.out())
                    .startsWith("2 held, 0 waiting, answered in ")
                    .contains("\nLOCK ")
                    .contains("CHANGES/S\n")
                    .contains("\norders/1 ")
                    .contains(" ann@db1 ")
                    .contains("\nother\\u{1b}[2J ")
                    .doesNotContain("\u001b");
            assertThat(some.exitCode()).isZero();
            assertThat(some.out()).startsWith("1 held").doesNotContain("other");
            assertThat(one.isHeld() && other.isHeld()).isTrue();
        }
    }

    @Test
    @DisplayName("in a terminal the table is drawn anew, and the screen before comes back at the end")
    void terminal() throws Exception {
        String command = Mortise.commandLine("top", "--every", "100ms", "--store", store()).stream()
                .map(argument -> "'" + argument + "'")
                .collect(Collectors.joining(" "));
        List<String> inTerminal =
                new ArrayList<>(List.of("script", "-qec", "stty rows 10 cols 70; exec " + command, "/dev/null"));
        try (LockClient client = LockClient.connect(store());
                Lease one = client.lock("first").acquire();
                Mortise mortise = Mortise.start(directory, Map.of(), Path.of("/dev/null"), inTerminal)) {
            Processes.until(() -> mortise.out().contains("first"));
            List<Lease> more = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                more.add(client.lock("lock-" + i).acquire());
            }
            Processes.until(() -> mortise.out().contains("others"));
            String drawn = mortise.out();
            assertThat(drawn).startsWith("\u001b[?1049h").contains("\u001b[H").contains("1 held, 0 waiting");
            assertThat(drawn.replace("\u001b[H", "\n").lines().map(line -> line.replaceAll(
                                    "\u001b\\[[0-9?]*[a-zA-Z]", "")
                            .strip()))
                    .allMatch(line -> line.length() <= 70);
            assertThat(drawn).doesNotContain(FIRST_SCREEN);

            mortise.signal("INT");
            Processes.until(() -> mortise.out().endsWith(FIRST_SCREEN) || !mortise.isAlive());
            assertThat(one.isHeld()).isTrue();
            assertThat(more).allMatch(Lease::isHeld);
        }
    }
}
