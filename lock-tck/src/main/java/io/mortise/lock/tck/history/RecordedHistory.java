// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.history;

import io.mortise.lock.tck.history.Operation.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A history that was recorded before, of any clients by anybody, to be checked. Not thread-safe. */
public final class RecordedHistory {
    private final List<Operation> operations = new ArrayList<>();
    private final Map<Operation, Integer> lines = new IdentityHashMap<>();
    private final Map<Integer, String> owners = new HashMap<>();

    /**
     * Something that is wrong.
     *
     * @param rule which rule is broken, in a word
     * @param lock the name of the lock
     * @param text what is wrong, in a sentence
     * @param lines the numbers of the lines that prove it together, from 1 on
     */
    public record Finding(String rule, String lock, String text, List<Integer> lines) {}

    /**
     * Adds the event of a line.
     *
     * @param line its number, from 1 on
     * @param members of the line's object: its texts, whole numbers as {@link Long}, and {@link Boolean}
     * @throws IllegalArgumentException if it is no event, with a sentence that says why
     */
    public void add(int line, Map<String, Object> members) {
        Operation operation = HistoryFormat.operation(members, -line);
        if (operation.claim() > 0) {
            String owner = "of " + operation.who() + " for the lock " + JsonText.quoted(operation.lock());
            String before = owners.putIfAbsent(operation.claim(), owner);
            if (before != null && !before.equals(owner)) {
                throw new IllegalArgumentException(
                        "claim " + operation.claim() + " was " + before + ", and is " + owner + " here");
            }
        }
        operations.add(operation);
        lines.put(operation, line);
    }

    public int events() {
        return operations.size();
    }

    public long locks() {
        return operations.stream()
                .map(Operation::lock)
                .filter(lock -> !lock.isEmpty())
                .distinct()
                .count();
    }

    /** How many tries were answered yes: where there is none, nothing was proved. */
    public long grants() {
        return operations.stream()
                .filter(operation -> operation.is(Kind.TRY, Operation.YES))
                .count();
    }

    /**
     * What is wrong, in the order of the lines that prove it.
     *
     * @param fair whether those that wait must be served in the order in which they came
     * @param longestWait for how long anybody may wait for a lock that is free; null if for any time
     */
    public List<Finding> findings(boolean fair, @Nullable Duration longestWait) {
        return Stream.of(
                        HistoryChecker.violations(operations),
                        fair ? WaitChecker.order(operations) : List.<Violation>of(),
                        longestWait == null
                                ? List.<Violation>of()
                                : WaitChecker.waits(operations, longestWait.toNanos()))
                .flatMap(List::stream)
                .map(this::finding)
                .sorted(Comparator.comparingInt(finding -> finding.lines().get(0)))
                .toList();
    }

    private Finding finding(Violation violation) {
        String rule =
                switch (violation.rule()) {
                    case OVERLAP, WORK -> "one holder at a time";
                    case TOKENS -> "tokens rise";
                    case CLOSED -> "nothing after close";
                    case ORDER -> "first come, first served";
                    case WAIT -> "nobody waits for a free lock";
                };
        return new Finding(
                rule,
                violation.lock(),
                violation.text(),
                violation.operations().stream()
                        .map(lines::get)
                        .distinct()
                        .sorted()
                        .toList());
    }
}
