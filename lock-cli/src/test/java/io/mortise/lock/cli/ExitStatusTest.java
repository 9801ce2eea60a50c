// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.cli.console.ExitCode;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The exit statuses in the code, in the help and in the table for users are the same. */
class ExitStatusTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (\\d+)(?: \\+ n)? \\| ([^|]+) \\|");

    /** The codes in the table whose row names a sub-command, or any if none is given. */
    private static Set<Integer> documented(String subcommand) throws IOException {
        String page = Files.readString(Path.of("../docs/command.md"));
        Set<Integer> codes = new TreeSet<>();
        Matcher row = ROW.matcher(page.substring(page.indexOf("\n## Exit status\n")));
        while (row.find()) {
            if (row.group(2).equals("all") || row.group(2).contains(subcommand)) {
                codes.add(Integer.valueOf(row.group(1)));
            }
        }
        return codes;
    }

    private static CommandLine subcommand(CommandLine command, String name) {
        return Objects.requireNonNull(command.getSubcommands().get(name), name);
    }

    @Test
    @DisplayName("the table has the codes that there are")
    void table() throws IOException, IllegalAccessException {
        Set<Integer> codes = new TreeSet<>();
        for (Field constant : ExitCode.class.getFields()) {
            codes.add(constant.getInt(null));
        }
        assertThat(documented("")).isEqualTo(codes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "ls", "show", "revoke", "tck", "check", "demo", "completion", "manual"})
    @DisplayName("the help of a sub-command has the codes that the table gives for it")
    void help(String subcommand) throws IOException {
        CommandLine command = subcommand(Main.commandLine(), subcommand);
        if (subcommand.equals("demo")) {
            command = subcommand(command, "coupons");
        }
        Set<Integer> told = new TreeSet<>();
        for (String code :
                command.getCommandSpec().usageMessage().exitCodeList().keySet()) {
            told.add(Integer.valueOf(code.replace(" + n", "")));
        }
        assertThat(told).isEqualTo(documented("`" + subcommand + "`"));
        assertThat(command.getUsageMessage()).contains("Exit status:");
    }
}
