// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.LockClient;
import io.mortise.lock.cli.console.ExitCode;
import io.mortise.lock.spi.support.DurationText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a user types, mortise answers in one line without control characters, and with an exit status of its table. */
class WrongInputTest {
    private static final int INPUTS = Integer.getInteger("mortise.inputs", 100);
    private static final String ALPHABET =
            "0123456789.+-:/?&=%@'\"\\ \t\nabdhmnstPTDHMS\0\u001b[31m\u202e\u00e4\ud83d\ude00\ud800";

    private final Random random = new Random(Long.getLong("mortise.inputs.seed", 20260101));

    @TempDir
    private Path directory;

    private record Answer(int code, String out, String err) {}

    private static Answer answer(String... line) {
        StringWriter out = new StringWriter();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream standardError = System.err;
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        try {
            int code = Main.commandLine().setOut(new PrintWriter(out, true)).execute(line);
            return new Answer(code, out.toString(), err.toString(StandardCharsets.UTF_8));
        } finally {
            System.setErr(standardError);
        }
    }

    private String text(int longest) {
        StringBuilder text = new StringBuilder();
        for (int left = 1 + random.nextInt(longest); left > 0; left--) {
            text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return text.toString();
    }

    private String oneOf(String... words) {
        return words[random.nextInt(words.length)];
    }

    private static void refused(String... line) {
        Answer answer = answer(line);
        assertThat(answer.code()).as("%s: %s", Arrays.asList(line), answer).isEqualTo(ExitCode.USAGE);
        sentence(answer, line);
        assertThat(answer.out()).isEmpty();
    }

    private static void sentence(Answer answer, String... line) {
        assertThat(answer.err())
                .as("%s", Arrays.asList(line))
                .matches(
                        "mortise: [^\\p{Cntrl}\\p{Cf}\\p{Cs}\\\\]*(\\\\u\\{[0-9a-f]+}[^\\p{Cntrl}\\p{Cf}\\p{Cs}\\\\]*)*\n")
                .doesNotContain("Exception");
    }

    @Test
    @DisplayName("texts that are no times are refused")
    void times() {
        for (int count = 0; count < INPUTS; ) {
            String text = text(8);
            if (!isTime(text)) {
                String option = oneOf(
                        "--wait",
                        "--lease",
                        "--at-least",
                        "--lock-delay",
                        "--max-hold",
                        "--timeout",
                        "--unless-run-since");
                refused("run", "--store", "memory:x", option + "=" + text, "job", "--", "true");
                count++;
            }
        }
        for (String option : List.of("--lease", "--at-least", "--max-hold", "--timeout", "--unless-run-since")) {
            refused("run", "--store", "memory:x", option, "0s", "job", "--", "true");
        }
    }

    private static boolean isTime(String text) {
        try {
            DurationText.parse(text);
            return true;
        } catch (IllegalArgumentException no) {
            return false;
        }
    }

    @Test
    @DisplayName("any text is a name, and is printed so that a terminal shows it as one line")
    void names() {
        for (int count = 0; count < INPUTS; count++) {
            String name = text(20);
            Answer text = answer("show", "--store", "memory:x", "--", name);
            Answer json = answer("show", "--store", "memory:x", "--json", "--", name);
            assertThat(text).as(name).isEqualTo(new Answer(ExitCode.NO, "free\n", ""));
            assertThat(json.code()).as(name).isEqualTo(ExitCode.NO);
            assertThat(json.out()).matches("\\{\"lock\":\"[ -~]*\",\"held\":false}\n");
            assertThat(json.err()).isEmpty();
        }
    }

    @Test
    @DisplayName("options that there are not are refused")
    void options() {
        for (int count = 0; count < INPUTS; count++) {
            String subcommand = oneOf("run", "ls", "show", "revoke", "demo");
            refused(subcommand, "--x" + text(10), "job");
        }
    }

    @Test
    @DisplayName("command lines that lack something or have too much are refused")
    void arguments() {
        for (int count = 0; count < INPUTS; count++) {
            String word = "w" + text(6);
            refused(
                    switch (random.nextInt(8)) {
                        case 0 -> new String[] {word};
                        case 1 -> new String[] {"run", "--store", "memory:x", word};
                        case 2 -> new String[] {"show", "--store", "memory:x"};
                        case 3 -> new String[] {"show", "--store", "memory:x", word, word};
                        case 4 -> new String[] {"ls", "--store", "memory:x", word, word};
                        case 5 -> new String[] {"revoke", "--store", "memory:x", word};
                        case 6 -> new String[] {"run", "--conflict-exit-code=" + word, "job", "--", "true"};
                        default -> new String[] {"demo", word};
                    });
        }
    }

    @Test
    @DisplayName("a file that should name a store and holds something else is refused, and so is such a URL")
    void storeNames() throws IOException {
        Path file = directory.resolve("store");
        for (int count = 0; count < INPUTS; count++) {
            byte[] bytes = new byte[1 + random.nextInt(40)];
            random.nextBytes(bytes);
            Files.write(file, bytes);
            refused("ls", "--store-file", file.toString());
            refused("ls", "--store", oneOf("x", "memory:x?mortise.x", "memory:x?mortise.lease=x") + text(12));
        }
    }

    @Test
    @DisplayName("a store file of random bytes, or with some bytes changed, is answered for with a status of the table")
    void storeContents() throws IOException {
        Path file = directory.resolve("locks.db");
        String url = "jdbc:sqlite:" + file;
        LockClient.connect(url).close();
        assertThat(answer("ls", "--store", url)).isEqualTo(new Answer(ExitCode.OK, "", ""));
        byte[] sound = Files.readAllBytes(file);
        for (int count = 0; count < INPUTS; count++) {
            byte[] bytes = sound.clone();
            if (count % 2 == 0) {
                bytes = new byte[1 + random.nextInt(4096)];
                random.nextBytes(bytes);
            } else {
                for (int change = 0; change < 20; change++) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
                }
            }
            Files.deleteIfExists(Path.of(file + "-wal"));
            Files.deleteIfExists(Path.of(file + "-shm"));
            Files.write(file, bytes);
            Answer answer = answer("ls", "--store", url);
            assertThat(answer.code())
                    .as("%d: %s", count, answer)
                    .isIn(ExitCode.OK, ExitCode.USAGE, ExitCode.UNAVAILABLE, ExitCode.UNABLE);
            if (answer.code() != ExitCode.OK) {
                sentence(answer, "ls");
            }
        }
    }
}
