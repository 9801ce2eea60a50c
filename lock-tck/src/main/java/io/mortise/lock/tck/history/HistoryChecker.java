// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.history;

import io.mortise.lock.tck.history.Operation.Kind;
import io.mortise.lock.tck.history.Violation.Rule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Checks a recorded history: no two intervals overlap in which a lock was promised to different claims, tokens rise in
 * the order of the grants, and nothing is granted to a closed client. An unknown answer promises nothing and breaks
 * nothing.
 */
final class HistoryChecker {
    /** A stretch of time in which a claim may rely on a lock. */
    record Interval(Operation source, long from, long to) {}

    private HistoryChecker() {}

    /** The first violation of each rule for each lock, in the order of the operations that show it. */
    static List<Violation> violations(List<Operation> operations) {
        List<Operation> faults = operations.stream().filter(Operation::isFault).toList();
        Map<String, List<Operation>> byLock = operations.stream()
                .collect(Collectors.groupingBy(Operation::lock, LinkedHashMap::new, Collectors.toList()));
        List<Violation> found = new ArrayList<>();
        for (List<Operation> ofOneLock : byLock.values()) {
            overlap(Rule.OVERLAP, promised(ofOneLock, faults), "the store promised the lock twice")
                    .ifPresent(found::add);
            overlap(Rule.WORK, worked(ofOneLock, faults), "two holders were inside at once")
                    .ifPresent(found::add);
            tokens(ofOneLock).ifPresent(found::add);
            tokensOfWork(ofOneLock).ifPresent(found::add);
        }
        afterClose(operations).ifPresent(found::add);
        return found;
    }

    /** When each claim could rely on a lock, of the lock that most clients got; what a claim held without a break is one hold. */
    static List<Hold> holds(List<Operation> operations) {
        Map<String, Set<String>> holders = new LinkedHashMap<>();
        operations.stream()
                .filter(operation -> operation.is(Kind.TRY, Operation.YES))
                .forEach(grant -> holders.computeIfAbsent(grant.lock(), unused -> new HashSet<>())
                        .add(grant.claimant()));
        Optional<String> most = holders.entrySet().stream()
                .max(Comparator.comparingInt(entry -> entry.getValue().size()))
                .map(Map.Entry::getKey);
        List<Operation> faults = operations.stream().filter(Operation::isFault).toList();
        List<Operation> ofOneLock = operations.stream()
                .filter(operation -> operation.lock().equals(most.orElse("")))
                .toList();
        Map<Integer, Hold> last = new HashMap<>();
        List<Hold> holds = new ArrayList<>();
        for (Interval next : promised(ofOneLock, faults).stream()
                .sorted(Comparator.comparingLong(Interval::from))
                .toList()) {
            int claim = next.source().claim();
            Hold before = last.get(claim);
            Hold hold = new Hold(next.source().who(), claim, next.from() / 1000, next.to() / 1000);
            if (before != null && hold.from() <= before.to()) {
                holds.remove(before);
                hold = new Hold(hold.who(), claim, before.from(), Math.max(before.to(), hold.to()));
            }
            last.put(claim, hold);
            holds.add(hold);
        }
        return holds;
    }

    /**
     * From each yes to the end of what the claim said was left of its lease, but only until the claim lets go, and no longer than
     * a later request of the claim asked for: a renewal may make a lease shorter, also one without an answer.
     */
    private static List<Interval> promised(List<Operation> operations, List<Operation> faults) {
        Map<Integer, Long> released = new HashMap<>();
        for (Operation operation : operations) {
            if (operation.kind() == Kind.RELEASE) {
                released.merge(operation.claim(), operation.begin(), Math::min);
            }
        }
        Map<Integer, List<Operation>> byClaim = operations.stream().collect(Collectors.groupingBy(Operation::claim));
        List<Interval> intervals = new ArrayList<>();
        for (Operation operation : operations) {
            if (operation.is(Kind.TRY, Operation.YES) || operation.is(Kind.RENEW, Operation.YES)) {
                long end = operation.begin() + operation.until();
                end = Math.min(end, released.getOrDefault(operation.claim(), Long.MAX_VALUE));
                end = Math.min(end, shortened(operation, byClaim.getOrDefault(operation.claim(), List.of())));
                intervals.add(new Interval(operation, operation.end(), end));
            }
        }
        return cut(intervals, faults);
    }

    private static long shortened(Operation promise, List<Operation> ofItsClaim) {
        return ofItsClaim.stream()
                .filter(later -> later.begin() > promise.begin() && later.mayHold())
                .mapToLong(later -> later.begin() + later.until())
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private static List<Interval> worked(List<Operation> operations, List<Operation> faults) {
        return cut(
                operations.stream()
                        .filter(operation -> operation.kind() == Kind.INSIDE)
                        .map(work -> new Interval(work, work.begin(), work.end()))
                        .toList(),
                faults);
    }

    /** What was asked for before the end of a fault is promised until its begin at most: the store may have answered before it. */
    private static List<Interval> cut(List<Interval> intervals, List<Operation> faults) {
        List<Interval> cut = new ArrayList<>(intervals);
        for (Operation fault : faults) {
            cut.replaceAll(interval -> fault.isFaultOf(interval.source().lock())
                            && interval.source().begin() <= fault.end()
                            && interval.to() > fault.begin()
                    ? new Interval(interval.source(), interval.from(), fault.begin())
                    : interval);
        }
        cut.removeIf(interval -> interval.to() <= interval.from());
        return cut;
    }

    private static Optional<Violation> overlap(Rule rule, List<Interval> intervals, String what) {
        List<Interval> sorted = new ArrayList<>(intervals);
        sorted.sort(Comparator.comparingLong(Interval::from));
        List<Interval> open = new ArrayList<>();
        for (Interval next : sorted) {
            open.removeIf(interval -> interval.to() <= next.from());
            for (Interval other : open) {
                if (other.source().claim() != next.source().claim()) {
                    return Optional.of(violation(
                            rule,
                            String.format(
                                    Locale.ROOT,
                                    "%s: to %s until %.1f ms and to %s from %.1f ms on",
                                    what,
                                    other.source().claimant(),
                                    other.to() / 1e6,
                                    next.source().claimant(),
                                    next.from() / 1e6),
                            other.source(),
                            next.source()));
                }
            }
            open.add(next);
        }
        return Optional.empty();
    }

    private static Optional<Violation> tokens(List<Operation> operations) {
        Set<Integer> seen = new HashSet<>();
        List<Operation> grants = operations.stream()
                .filter(operation -> operation.is(Kind.TRY, Operation.YES) && operation.token() > 0)
                .sorted(Comparator.comparingLong(Operation::end))
                .filter(operation -> seen.add(operation.claim()))
                .toList();
        List<Operation> byBegin = new ArrayList<>(grants);
        byBegin.sort(Comparator.comparingLong(Operation::begin));
        int ended = 0;
        Operation greatest = null;
        for (Operation later : byBegin) {
            while (ended < grants.size() && grants.get(ended).end() < later.begin()) {
                Operation earlier = grants.get(ended++);
                if (greatest == null || lastToken(earlier) > lastToken(greatest)) {
                    greatest = earlier;
                }
            }
            if (greatest != null && later.token() <= lastToken(greatest)) {
                return Optional.of(violation(
                        Rule.TOKENS,
                        "the token of a later grant is not greater: " + lastToken(greatest) + " was given to "
                                + greatest.claimant() + ", then " + later.token() + " to " + later.claimant(),
                        greatest,
                        later));
            }
        }
        return Optional.empty();
    }

    private static long lastToken(Operation grant) {
        return grant.token() + grant.tokens() - 1;
    }

    /** Whoever worked later did so with a greater token. */
    private static Optional<Violation> tokensOfWork(List<Operation> operations) {
        List<Operation> works = operations.stream()
                .filter(operation -> operation.kind() == Kind.INSIDE && operation.token() > 0)
                .sorted(Comparator.comparingLong(Operation::begin))
                .toList();
        for (int i = 1; i < works.size(); i++) {
            Operation earlier = works.get(i - 1);
            Operation later = works.get(i);
            if (earlier.end() <= later.begin() && later.token() <= earlier.token()) {
                return Optional.of(violation(
                        Rule.TOKENS,
                        earlier.who() + " worked with the token " + earlier.token() + ", and " + later.who()
                                + " after it with " + later.token(),
                        earlier,
                        later));
            }
        }
        return Optional.empty();
    }

    private static Optional<Violation> afterClose(List<Operation> operations) {
        Map<String, Long> closed = new HashMap<>();
        for (Operation operation : operations) {
            if (operation.kind() == Kind.CLOSE) {
                closed.merge(operation.who(), operation.end(), Math::min);
            }
        }
        return operations.stream()
                .filter(operation -> operation.is(Kind.TRY, Operation.YES))
                .filter(grant -> grant.begin() > closed.getOrDefault(grant.who(), Long.MAX_VALUE))
                .map(grant ->
                        violation(Rule.CLOSED, "the closed client " + grant.who() + " was granted the lock", grant))
                .findFirst();
    }

    private static Violation violation(Rule rule, String text, Operation... proof) {
        return new Violation(rule, proof[0].lock(), text, List.of(proof));
    }
}
