// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.history;

import io.mortise.lock.tck.history.Operation.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Records what was asked and answered in one scene, by monotonic time. Prints as a time line. Thread-safe. */
public final class History {
    private static final int LINES = 120;

    private final long start = System.nanoTime();
    private final List<Operation> operations = new ArrayList<>();
    /** When the questions were asked that are not answered yet. */
    private final List<Long> underWay = new ArrayList<>();

    private final Map<String, Integer> questions = new HashMap<>();

    private int claims;

    /** Nanoseconds since the scene began. */
    long now() {
        return System.nanoTime() - start;
    }

    synchronized int nextClaim() {
        return ++claims;
    }

    /** A claim is asked something now; whoever adds the operation later says so by its begin. */
    synchronized long asked(String who) {
        long now = now();
        questions.merge(who, 1, Integer::sum);
        underWay.add(now);
        return now;
    }

    synchronized void add(Operation operation) {
        underWay.remove(operation.begin());
        operations.add(operation);
    }

    /** Adds something to be read between the operations. */
    public void note(String who, String text) {
        long now = now();
        add(new Operation(who, 0, "", Kind.NOTE, now, now, text, 0, 0, 0));
    }

    /** Causes a fault of one lock: nothing that was held of it before, or that came to be held meanwhile, is promised any more. */
    void fault(String lock, String text, Runnable cause) {
        fault(Kind.FAULT, lock, text, cause);
    }

    /** Causes a fault of all locks: nothing that was held before, or that came to be held meanwhile, is promised any more. */
    void faultOfAll(String text, Runnable cause) {
        fault(Kind.FAULT_OF_ALL, "", text, cause);
    }

    /** The fault is known when it begins, for whoever is granted the lock by it, and spans until it is over. */
    private void fault(Kind kind, String lock, String text, Runnable cause) {
        long begin = now();
        add(new Operation("suite", 0, lock, kind, begin, begin, "begins: " + text, 0, 0, 0));
        try {
            cause.run();
        } finally {
            add(new Operation("suite", 0, lock, kind, begin, now(), text, 0, 0, 0));
        }
    }

    /**
     * Adds a stretch of work under a lease, from after the lease was seen held until before it was seen held again. The times
     * are {@link System#nanoTime} of any process of this host.
     */
    public void worked(String who, String lock, long beginNanos, long endNanos, long token) {
        add(new Operation(
                who, nextClaim(), lock, Kind.INSIDE, beginNanos - start, endNanos - start, "worked", 0, token, 1));
    }

    synchronized List<Operation> operations() {
        return List.copyOf(operations);
    }

    /** How often a client has begun to ask anything about a claim, answered or not. */
    public synchronized long questions(String who) {
        return questions.getOrDefault(who, 0);
    }

    /** How many tries of a client have ended, in any way. */
    public long tries(String who) {
        return of(who).filter(operation -> operation.kind() == Kind.TRY).count();
    }

    /** How many renewals of a client have ended, in any way. */
    public long renewals(String who) {
        return of(who).filter(operation -> operation.kind() == Kind.RENEW).count();
    }

    /** How many renewals of a client were answered yes. */
    public long renewed(String who) {
        return of(who).filter(operation -> operation.is(Kind.RENEW, Operation.YES))
                .count();
    }

    /** How many claims of a client had at least one try that was answered no. */
    public long claimsRefused(String who) {
        return of(who).filter(operation -> operation.is(Kind.TRY, Operation.NO))
                .mapToInt(Operation::claim)
                .distinct()
                .count();
    }

    /** How many claims of a client had at least one try that has ended. */
    public long claimsThatTried(String who) {
        return of(who).filter(operation -> operation.kind() == Kind.TRY)
                .mapToInt(Operation::claim)
                .distinct()
                .count();
    }

    /** Checks that no claim of a client was used again after its release had been answered. */
    public void noneAfterRelease(String who) {
        Map<Integer, Long> released = new HashMap<>();
        of(who).filter(operation -> operation.kind() == Kind.RELEASE)
                .filter(operation -> !operation.answer().startsWith("unknown"))
                .forEach(release -> released.merge(release.claim(), release.end(), Math::min));
        for (Operation later : operations()) {
            boolean misused = later.begin() > released.getOrDefault(later.claim(), Long.MAX_VALUE)
                    && (later.kind() == Kind.RENEW || later.kind() == Kind.TRY);
            if (misused) {
                throw new SafetyViolation(later.claimant() + " was used again after its release");
            }
        }
    }

    /** The first thing that is wrong: a lock that was promised twice, tokens that fall, or a grant to a closed client. */
    public Optional<String> firstFault() {
        return HistoryChecker.firstFault(operations());
    }

    /** Fails the case if anything is wrong. */
    public void judge() {
        firstFault().ifPresent(fault -> {
            throw new AssertionError(fault);
        });
    }

    /** How many nanoseconds the slowest answer to a claim took, or has taken so far. */
    public synchronized long slowest() {
        long answered = operations.stream()
                .filter(operation -> operation.claim() > 0 && operation.kind() != Kind.INSIDE)
                .mapToLong(operation -> operation.end() - operation.begin())
                .max()
                .orElse(0);
        long now = now();
        return underWay.stream().mapToLong(begin -> now - begin).reduce(answered, Math::max);
    }

    private Stream<Operation> of(String who) {
        return operations().stream().filter(operation -> operation.who().equals(who));
    }

    /** The time line: when, how long, who, what, which lock, the answer. */
    public String timeline() {
        List<Operation> all = new ArrayList<>(operations());
        all.sort(Comparator.comparingLong(Operation::begin));
        List<String> locks = new ArrayList<>(names(all));
        StringBuilder text = new StringBuilder("   at ms  took ms  who        what     lock  answer\n");
        int from = Math.max(0, all.size() - LINES);
        if (from > 0) {
            text.append("   … ").append(from).append(" earlier\n");
        }
        for (Operation operation : all.subList(from, all.size())) {
            text.append(String.format(
                    Locale.ROOT,
                    "%8.1f %8.1f  %-10s %-8s %-5s %s%s%n",
                    operation.begin() / 1e6,
                    (operation.end() - operation.begin()) / 1e6,
                    operation.claimant(),
                    operation.kind().name().toLowerCase(Locale.ROOT),
                    operation.lock().isEmpty() ? "" : "L" + locks.indexOf(operation.lock()),
                    operation.answer(),
                    operation.token() == 0 ? "" : ", token " + operation.token()));
        }
        for (int i = 0; i < Math.min(10, locks.size()); i++) {
            text.append("   L")
                    .append(i)
                    .append(" = ")
                    .append(printable(locks.get(i)))
                    .append('\n');
        }
        return text.toString();
    }

    private static Set<String> names(List<Operation> all) {
        Set<String> names = new LinkedHashSet<>();
        all.forEach(operation -> names.add(operation.lock()));
        names.remove("");
        return names;
    }

    private static String printable(String name) {
        StringBuilder text = new StringBuilder("\"");
        name.chars().limit(60).forEach(unit -> {
            if (unit >= ' ' && unit < 127) {
                text.append((char) unit);
            } else {
                text.append(String.format(Locale.ROOT, "\\u%04x", unit));
            }
        });
        return text.append(name.length() > 60 ? "…\"" : "\"").toString();
    }
}
