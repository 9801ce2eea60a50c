// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.conformance;

import io.mortise.lock.cli.console.Printable;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Prints what becomes of each case as soon as it is known. Called by one thread. */
final class Progress implements TestExecutionListener {
    /** The key under which the suite tells its badge. */
    private static final String BADGE = "mortise.tck.badge";

    private static final String NEEDS_A_FAULT = "skipped: the test class cannot do this";

    private final PrintWriter out;
    private final Map<String, Set<String>> skipped = new TreeMap<>();
    private long begin;
    private int passed;
    private int failed;
    private String badge = "";

    Progress(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        begin = System.nanoTime();
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        String message = result.getThrowable().map(Throwable::getMessage).orElse("");
        switch (result.getStatus()) {
            case SUCCESSFUL -> {
                if (test.isTest()) {
                    passed++;
                    line("ok", test);
                }
            }
            case ABORTED ->
                skipped.computeIfAbsent(reason(message), unused -> new TreeSet<>())
                        .add(rule(test));
            case FAILED -> {
                failed++;
                line("FAIL", test);
                message.lines().forEach(line -> out.print("       " + Printable.of(line) + "\n"));
            }
        }
        out.flush();
    }

    @Override
    public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
        badge = Objects.requireNonNullElse(entry.getKeyValuePairs().get(BADGE), badge);
    }

    int failed() {
        return failed;
    }

    int executed() {
        return passed + failed;
    }

    /** Prints why cases were skipped, and the badge. */
    void finish() {
        skipped.forEach(
                (reason, rules) -> out.print("skip   " + String.join(" ", rules) + ": " + Printable.of(reason) + "\n"));
        out.print(badge + "\n");
    }

    private void line(String word, TestIdentifier test) {
        out.print(String.format(
                Locale.ROOT, "%-4s %6.2f s  %s%n", word, (System.nanoTime() - begin) / 1e9, test.getDisplayName()));
    }

    /** An author can let a test class do something to its store; the command does nothing to any. */
    private static String reason(String message) {
        return message.startsWith(NEEDS_A_FAULT)
                ? "the command does nothing to a store; a test class of its author can, and then runs these, too"
                : message.replaceFirst("^skipped: ", "");
    }

    private static String rule(TestIdentifier test) {
        return test.getDisplayName().split(":", 2)[0];
    }
}
