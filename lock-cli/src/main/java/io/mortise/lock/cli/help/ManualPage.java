// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.help;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The page for man(1), in roff. It is made of what {@code --help} says, so the two cannot differ. */
final class ManualPage {
    private final CommandSpec mortise;
    private final StringBuilder page = new StringBuilder();

    ManualPage(CommandLine mortise) {
        this.mortise = mortise.getCommandSpec();
    }

    String text() {
        request("TH MORTISE 1 \"\" \"" + mortise.version()[0] + "\" Mortise");
        request("ad l");
        request("nh");
        section("NAME");
        text("mortise - run a command under a distributed lock, and see who holds what");
        section("SYNOPSIS");
        for (CommandSpec command : shown(mortise)) {
            request("HP 8");
            text(new Help(command, Help.Ansi.OFF).synopsis(0).replaceAll("\\s+", " "));
        }
        section("DESCRIPTION");
        paragraphs(
                "The store that keeps the locks is that of --store, of --store-file, of the variable MORTISE_STORE, or of the"
                        + " first file that is there of those below; without any, a SQLite file of the user's own.",
                "Times are written 500ms, 30s, 5m or 1h30m.");
        section("COMMANDS");
        shown(mortise).forEach(this::command);
        section("ENVIRONMENT");
        entry("MORTISE_STORE", "The URL of the store, if no option gives it.");
        entry("MORTISE_JAVA_OPTS", "Further options of the JVM.");
        section("FILES");
        entry("~/.config/mortise/store", "The URL of the store in its first line, if no option or variable gives it.");
        entry("/etc/mortise/store", "The same, for all users.");
        section("SEE ALSO");
        text("flock(1), timeout(1)");
        return page.toString();
    }

    /** The sub-commands that the help shows; of one that only has others, those. */
    private static List<CommandSpec> shown(CommandSpec command) {
        return command.subcommands().values().stream()
                .map(CommandLine::getCommandSpec)
                .filter(each -> !each.usageMessage().hidden())
                .flatMap(each -> each.subcommands().isEmpty() ? List.of(each).stream() : shown(each).stream())
                .toList();
    }

    private void command(CommandSpec command) {
        request("SS " + command.qualifiedName());
        paragraphs(command.usageMessage().description());
        for (PositionalParamSpec parameter : command.positionalParameters()) {
            entry(parameter.paramLabel(), description(parameter));
        }
        for (OptionSpec option : command.options()) {
            String value = option.arity().max() == 0 ? "" : "=" + option.paramLabel();
            entry(String.join(", ", option.names()) + value, description(option));
        }
        paragraphs(command.usageMessage().footer());
        paragraphs("Exit status:");
        command.usageMessage().exitCodeList().forEach(this::entry);
    }

    private static String description(ArgSpec argument) {
        return String.join(" ", argument.description())
                .replace("${DEFAULT-VALUE}", String.valueOf(argument.defaultValueString()));
    }

    private void section(String title) {
        request("SH " + title);
    }

    private void entry(String term, String explanation) {
        request("TP");
        page.append("\\fB").append(escaped(term)).append("\\fR\n");
        text(explanation);
    }

    private void paragraphs(String... lines) {
        for (String line : lines) {
            request("PP");
            text(line);
        }
    }

    private void request(String line) {
        page.append('.').append(line).append('\n');
    }

    private void text(String line) {
        page.append(escaped(line.strip())).append('\n');
    }

    /** No character of a text is taken for roff, least of all a dot at the beginning. */
    private static String escaped(String text) {
        return "\\&"
                + text.replace("\\", "\\e")
                        .replace("-", "\\-")
                        .replace("~", "\\(ti")
                        .replace("'", "\\(aq");
    }
}
