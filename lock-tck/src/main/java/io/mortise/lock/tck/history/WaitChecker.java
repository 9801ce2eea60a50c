// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.history;

import io.mortise.lock.tck.history.HistoryChecker.Interval;
import io.mortise.lock.tck.history.Operation.Kind;
import io.mortise.lock.tck.history.Violation.Rule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks what a history shows of those that waited: in which order they were served, and for how long they waited for nothing. */
final class WaitChecker {
    /**
     * A claim that was refused and waited from then on.
     *
     * @param first its first try
     * @param granted the try that was granted; null if none was
     * @param until when it was granted the lock, gave up, or was last heard of
     */
    private record Waiter(Operation first, @Nullable Operation granted, long until) {}

    private WaitChecker() {}

    /** The first lock of each name that somebody was granted who had begun to wait after another. */
    static List<Violation> order(List<Operation> operations) {
        return byLock(operations).values().stream()
                .map(WaitChecker::overtaken)
                .flatMap(Optional::stream)
                .toList();
    }

    /** The first wait for each lock that went on for longer than {@code longest} nanoseconds while the lock was free. */
    static List<Violation> waits(List<Operation> operations, long longest) {
        List<Operation> faults = operations.stream().filter(Operation::isFault).toList();
        return byLock(operations).values().stream()
                .map(ofOneLock -> inVain(ofOneLock, faults, longest))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Map<String, List<Operation>> byLock(List<Operation> operations) {
        return operations.stream()
                .filter(operation -> operation.claim() > 0 && operation.kind() != Kind.INSIDE)
                .collect(Collectors.groupingBy(Operation::lock, LinkedHashMap::new, Collectors.toList()));
    }

    /** In the order of their first answers. */
    private static List<Waiter> waiters(List<Operation> ofOneLock) {
        Map<Integer, List<Operation>> byClaim = ofOneLock.stream()
                .sorted(Comparator.comparingLong(Operation::begin))
                .collect(Collectors.groupingBy(Operation::claim, LinkedHashMap::new, Collectors.toList()));
        List<Waiter> waiters = new ArrayList<>();
        for (List<Operation> ofClaim : byClaim.values()) {
            Operation first = ofClaim.get(0);
            if (!first.is(Kind.TRY, Operation.NO) || !first.asked().equals(Operation.WAITS)) {
                continue;
            }
            Operation granted = null;
            long until = first.end();
            for (Operation next : ofClaim) {
                until = next.kind() == Kind.RELEASE ? next.begin() : Math.max(until, next.end());
                if (next.kind() == Kind.RELEASE || next.is(Kind.TRY, Operation.YES)) {
                    granted = next.kind() == Kind.TRY ? next : null;
                    break;
                }
            }
            waiters.add(new Waiter(first, granted, until));
        }
        waiters.sort(Comparator.comparingLong(waiter -> waiter.first().end()));
        return waiters;
    }

    /** Of two that were granted the lock, the second had been refused before the first had asked. */
    private static Optional<Violation> overtaken(List<Operation> ofOneLock) {
        List<Waiter> served = waiters(ofOneLock).stream()
                .filter(waiter -> waiter.granted() != null)
                .toList();
        List<Waiter> byArrival = new ArrayList<>(served);
        byArrival.sort(Comparator.comparingLong(waiter -> waiter.first().begin()));
        int refused = 0;
        Waiter slowest = null;
        for (Waiter later : byArrival) {
            while (refused < served.size()
                    && served.get(refused).first().end() < later.first().begin()) {
                Waiter earlier = served.get(refused++);
                if (slowest == null || grant(earlier).begin() > grant(slowest).begin()) {
                    slowest = earlier;
                }
            }
            if (slowest != null && grant(later).end() < grant(slowest).begin()) {
                return Optional.of(new Violation(
                        Rule.ORDER,
                        later.first().lock(),
                        slowest.first().claimant() + " waited before "
                                + later.first().claimant() + " had asked, and was granted the lock after it",
                        List.of(slowest.first(), later.first(), grant(later), grant(slowest))));
            }
        }
        return Optional.empty();
    }

    private static Operation grant(Waiter waiter) {
        return Objects.requireNonNull(waiter.granted());
    }

    private static Optional<Violation> inVain(List<Operation> ofOneLock, List<Operation> faults, long longest) {
        List<Interval> taken = taken(ofOneLock, faults);
        for (Waiter waiter : waiters(ofOneLock)) {
            long free = waiter.first().end();
            for (Interval next : taken) {
                if (next.source().claim() == waiter.first().claim()) {
                    continue;
                }
                long end = Math.min(next.from(), waiter.until());
                if (end - free > longest) {
                    return Optional.of(inVain(waiter, free, end));
                }
                free = Math.max(free, next.to());
            }
            if (waiter.until() - free > longest) {
                return Optional.of(inVain(waiter, free, waiter.until()));
            }
        }
        return Optional.empty();
    }

    private static Violation inVain(Waiter waiter, long from, long to) {
        Operation last = waiter.granted() == null ? waiter.first() : waiter.granted();
        return new Violation(
                Rule.WAIT,
                waiter.first().lock(),
                String.format(
                        Locale.ROOT,
                        "%s waited for %.1f ms, from %.1f ms on, while the lock was free",
                        waiter.first().claimant(),
                        (to - from) / 1e6,
                        from / 1e6),
                last.equals(waiter.first()) ? List.of(last) : List.of(waiter.first(), last));
    }

    /** When somebody may have held the lock, by their begin: an answer that is not known may have been a grant. */
    private static List<Interval> taken(List<Operation> ofOneLock, List<Operation> faults) {
        Map<Integer, Long> released = ofOneLock.stream()
                .filter(operation ->
                        operation.is(Kind.RELEASE, Operation.YES) || operation.is(Kind.RELEASE, Operation.NO))
                .collect(Collectors.toMap(Operation::claim, Operation::end, Math::min));
        List<Interval> taken = new ArrayList<>();
        for (Operation operation : ofOneLock) {
            if (operation.mayHold()) {
                long end = Math.min(
                        operation.end() + operation.lease(), released.getOrDefault(operation.claim(), Long.MAX_VALUE));
                taken.add(new Interval(operation, operation.begin(), end));
            }
        }
        for (Operation fault : faults) {
            if (fault.isFaultOf(ofOneLock.get(0).lock())) {
                taken.add(new Interval(fault, fault.begin(), fault.end()));
            }
        }
        taken.sort(Comparator.comparingLong(Interval::from));
        return taken;
    }
}
