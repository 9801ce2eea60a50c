// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.conformance;

import io.mortise.lock.cli.console.Console;
import io.mortise.lock.cli.console.ExitCode;
import io.mortise.lock.cli.console.Printable;
import io.mortise.lock.tck.history.RecordedHistory;
import io.mortise.lock.tck.history.RecordedHistory.Finding;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mortise check}: proves that recorded histories are right, or shows what is wrong with them. */
@Command(
        name = "check",
        description = {
            "Checks recorded histories of any locks: who asked what, when, and what came back.",
            "A lock must be promised to one holder at a time, tokens must rise, and nothing may be granted to a closed client."
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:nothing is wrong with the histories",
            "1:something is wrong with a history",
            "64:the command line is wrong, or a file cannot be read or is no history",
            "70:an error in mortise itself",
            "74:standard output could not be written",
            "141:the reader of standard output has gone"
        })
public final class CheckCommand implements Callable<Integer> {
    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = "A history, one JSON object on each line; - is standard input.")
    private List<String> files = new ArrayList<>();

    @Option(
            names = "--fair",
            description = "Those who wait for a lock must be granted it in the order in which they began to wait.")
    private boolean fair;

    @Option(
            names = "--longest-wait",
            paramLabel = "TIME",
            description = "Nobody may wait for longer than this while the lock is free.")
    private @Nullable Duration longestWait;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        boolean right = true;
        for (String file : files) {
            HistoryFile history = new HistoryFile(file);
            RecordedHistory recorded = history.read();
            List<Finding> findings = recorded.findings(fair, longestWait);
            right &= findings.isEmpty();
            out.print(Printable.of(history + ": " + (findings.isEmpty() ? "right" : "wrong") + "; "
                            + counted(recorded.events(), "event") + ", " + counted(recorded.grants(), "grant") + ", "
                            + counted(recorded.locks(), "lock"))
                    + "\n");
            findings.forEach(finding -> out.print("  " + Printable.of(sentence(finding)) + "\n"));
            out.flush();
            if (recorded.grants() == 0) {
                Console.say(Printable.of("nothing was granted in " + history + ", so it proves nothing"));
            }
        }
        return right ? ExitCode.OK : ExitCode.NO;
    }

    private static String sentence(Finding finding) {
        String lines = finding.lines().stream().map(String::valueOf).collect(Collectors.joining(", "));
        return (finding.lines().size() == 1 ? "line " : "lines ") + lines + ", lock '" + finding.lock() + "', rule '"
                + finding.rule() + "': " + finding.text();
    }

    private static String counted(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
