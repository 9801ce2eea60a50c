// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What {@code mortise completion} and {@code mortise manual} print is of use to a shell and to man. */
class HelpTest {
    @TempDir
    private Path directory;

    private static String printed(String subcommand) {
        StringWriter out = new StringWriter();
        assertThat(Main.commandLine(subcommand).setOut(new PrintWriter(out)).execute(subcommand))
                .isZero();
        return out.toString();
    }

    @ParameterizedTest
    @CsvSource({
        "mortise re,               revoke",
        "mortise demo c,           coupons",
        "mortise run --max,        --max-hold",
        "mortise ls --j,           --json",
        "mortise run --unless,     --unless-run-since",
        "mortise revoke --rea,     --reason"
    })
    @DisplayName("bash completes sub-commands and options")
    void completion(String typed, String completed) throws IOException, InterruptedException {
        Path script = Files.writeString(directory.resolve("completion"), printed("completion"));
        String[] words = typed.split(" ");
        Process bash = new ProcessBuilder(
                        "bash",
                        "-c",
                        "set -e; compopt() { :; }; source '" + script + "'; COMP_WORDS=(" + typed + "); COMP_CWORD="
                                + (words.length - 1) + "; _complete_mortise; printf '%s\\n' \"${COMPREPLY[@]}\"")
                .redirectErrorStream(true)
                .start();
        String answer = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(bash.waitFor()).as(answer).isZero();
        assertThat(answer.lines().map(String::strip)).containsExactly(completed);
    }

    @Test
    @DisplayName("the manual page has each sub-command, option and exit status that the help shows, and nothing hidden")
    void manual() {
        String page = printed("manual");
        String text =
                page.replace("\\-", "-").replace("\\&", "").replace("\\fB", "").replace("\\fR", "");

        CommandLine mortise = Main.commandLine();
        for (String name : List.of("run", "ls", "show", "revoke")) {
            CommandLine.Model.CommandSpec command =
                    Objects.requireNonNull(mortise.getSubcommands().get(name)).getCommandSpec();
            assertThat(text)
                    .contains(
                            ".SS mortise " + name + "\n", command.usageMessage().description()[0]);
            assertThat(command.options()).allSatisfy(option -> assertThat(text).contains(option.longestName()));
            assertThat(command.usageMessage().exitCodeList().values())
                    .allSatisfy(meaning -> assertThat(text).contains(meaning.replace("'", "\\(aq")));
        }
        assertThat(text).contains(".SS mortise demo coupons\n").doesNotContain("mortise demo sell");
    }

    @Test
    @DisplayName("no text of the manual page is taken for a request of roff")
    void requests() {
        assertThat(printed("manual").lines().filter(line -> line.startsWith(".") || line.startsWith("'")))
                .allMatch(line -> line.matches("\\.(TH|SH|SS|PP|TP|HP|ad|nh)( .*)?"));
    }
}
