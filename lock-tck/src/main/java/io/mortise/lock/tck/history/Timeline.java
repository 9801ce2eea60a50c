// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.history;

import io.mortise.lock.tck.history.Operation.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The operations of a history as lines to be read, in the order in which they began: when, how long, who, what, which lock, the
 * answer. A client that gets the same answer again and again has one line for all of them. If there are too many lines, those
 * in the middle are left out, but for the grants of the lock that the history ends with or that is wrong.
 */
final class Timeline {
    private static final int FIRST = 40;
    private static final int LAST = 120;
    private static final int LONGEST_ANSWER = 300;

    /** What a line tells: one operation, and how many more of the same kind and answer followed. */
    private static final class Line {
        final Operation first;
        Operation last;
        int more;

        Line(Operation first) {
            this.first = first;
            this.last = first;
        }
    }

    private final List<Line> lines = new ArrayList<>();
    private final Map<String, String> names = new LinkedHashMap<>();
    private final String lockInQuestion;

    Timeline(List<Operation> operations) {
        List<Operation> sorted = new ArrayList<>(operations);
        sorted.sort(Comparator.comparingLong(Operation::begin));
        for (Operation operation : sorted) {
            if (!operation.lock().isEmpty()) {
                names.computeIfAbsent(operation.lock(), unused -> "L" + (names.size() + 1));
            }
        }
        collapse(sorted);
        lockInQuestion = HistoryChecker.violations(operations).stream()
                .map(Violation::lock)
                .findFirst()
                .orElseGet(() -> lastLock(sorted));
    }

    private static String lastLock(List<Operation> sorted) {
        return sorted.stream()
                .map(Operation::lock)
                .filter(lock -> !lock.isEmpty())
                .reduce("", (one, next) -> next);
    }

    /** Answers that change nothing, of one client about one lock, share a line until something happens to the lock. */
    private void collapse(List<Operation> sorted) {
        Map<List<Object>, Line> open = new HashMap<>();
        for (Operation operation : sorted) {
            List<Object> same = List.of(operation.who(), operation.kind(), operation.lock());
            Line line = open.get(same);
            if (line != null && shapeOf(line.first.answer()).equals(shapeOf(operation.answer()))) {
                line.more++;
                line.last = operation;
                continue;
            }
            line = new Line(operation);
            lines.add(line);
            if (changesNothing(operation)) {
                open.put(same, line);
            } else {
                open.keySet()
                        .removeIf(other ->
                                operation.lock().isEmpty() || other.get(2).equals(operation.lock()));
            }
        }
    }

    private static boolean changesNothing(Operation operation) {
        return switch (operation.kind()) {
            case TRY, RAISE, REVOKE, RELEASE, WRITE -> !operation.answer().equals(Operation.YES);
            case RENEW, INSPECT, LIST, READ -> true;
            case INSIDE, FAULT, FAULT_OF_ALL, CLOSE, NOTE -> false;
        };
    }

    /** Holders are the same whatever is left of their leases. */
    private static String shapeOf(String answer) {
        return answer.replaceAll("[0-9]+", "0");
    }

    String text() {
        StringBuilder text = new StringBuilder("   at ms  took ms  who        what     lock  answer\n");
        Set<String> shown = new LinkedHashSet<>();
        int omitted = 0;
        for (int i = 0; i < lines.size(); i++) {
            if (i < FIRST || i >= lines.size() - LAST || isKept(lines.get(i).first)) {
                omission(text, omitted);
                omitted = 0;
                print(text, lines.get(i));
                shown.add(lines.get(i).first.lock());
            } else {
                omitted++;
            }
        }
        shown.remove("");
        for (String name : shown) {
            text.append("   ")
                    .append(names.get(name))
                    .append(" = ")
                    .append(LockNames.told(name, names.keySet()))
                    .append('\n');
        }
        return text.toString();
    }

    private boolean isKept(Operation operation) {
        return operation.kind() == Kind.FAULT
                || operation.kind() == Kind.FAULT_OF_ALL
                || (operation.is(Kind.TRY, Operation.YES) && operation.lock().equals(lockInQuestion));
    }

    private static void omission(StringBuilder text, int omitted) {
        if (omitted > 0) {
            text.append("   … ").append(omitted).append(" lines left out\n");
        }
    }

    private void print(StringBuilder text, Line line) {
        Operation first = line.first;
        text.append(String.format(
                Locale.ROOT,
                "%8.1f %8.1f  %-10s %-8s %-5s %s%s%s%n",
                first.begin() / 1e6,
                (first.end() - first.begin()) / 1e6,
                LockNames.printable(first.claimant()),
                what(first),
                Objects.requireNonNullElse(names.get(first.lock()), ""),
                first.asked().isEmpty() ? "" : shortened(first.asked()) + ": ",
                shortened(first.answer()),
                first.token() == 0 ? "" : ", token " + first.token()));
        if (line.more > 0) {
            text.append(String.format(
                    Locale.ROOT,
                    "                    … %d more %s of %s, all %s, until %+.1f ms%n",
                    line.more,
                    several(first.kind(), line.more),
                    LockNames.printable(
                            line.last.claim() == first.claim()
                                    ? first.claimant()
                                    : "others up to " + line.last.claimant()),
                    shortened(first.answer()),
                    line.last.end() / 1e6));
        }
    }

    private static String what(Operation operation) {
        return operation.kind().name().toLowerCase(Locale.ROOT);
    }

    private static String several(Kind kind, int count) {
        return switch (kind) {
            case TRY -> count == 1 ? "try" : "tries";
            case RENEW -> count == 1 ? "renewal" : "renewals";
            default -> kind.name().toLowerCase(Locale.ROOT) + (count == 1 ? "" : "s");
        };
    }

    private static String shortened(String text) {
        String printable = LockNames.printable(text);
        return printable.length() <= LONGEST_ANSWER
                ? printable
                : printable.substring(0, LONGEST_ANSWER) + "… (" + printable.length() + " characters)";
    }
}
