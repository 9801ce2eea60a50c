// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.history;

import io.mortise.lock.tck.history.Operation.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Records what was asked and answered in one scene, by monotonic time. Prints as a time line. Thread-safe. */
public final class History {
    private static final int MOST_IN_A_PICTURE = 5_000;

    private final long start = System.nanoTime();
    private final List<Operation> operations = new ArrayList<>();
    /** The questions that are not answered yet. */
    private final List<Operation> underWay = new ArrayList<>();

    private final Map<String, Integer> questions = new HashMap<>();

    /** What keeps the store from answering now, because the suite wants it so. */
    private final Set<Object> disturbances = new HashSet<>();
    /** When the suite kept the store from answering, in order; the last one may have no end yet. */
    private final List<Outage> outages = new ArrayList<>();

    private int claims;
    private long slowestOpening;

    /** A time in which the suite kept the store from answering. */
    private record Outage(long begin, long end) {
        long overlap(long from, long to) {
            return Math.max(0, Math.min(end, to) - Math.max(begin, from));
        }
    }

    /** Nanoseconds since the scene began. */
    public long now() {
        return System.nanoTime() - start;
    }

    synchronized int nextClaim() {
        return ++claims;
    }

    /**
     * Something is asked now; whoever adds the operation later says so by its begin.
     *
     * @param claim the number of the claim that is asked, 0 if it is none
     */
    synchronized long asked(String who, int claim, String lock, Kind kind, String asked) {
        long now = now();
        if (claim > 0) {
            questions.merge(who, 1, Integer::sum);
        }
        underWay.add(new Operation(who, claim, lock, kind, now, now, 0, asked, "no answer yet", 0, 0, 0));
        return now;
    }

    synchronized void add(Operation operation) {
        for (int i = 0; i < underWay.size(); i++) {
            if (underWay.get(i).begin() == operation.begin() && underWay.get(i).isSameQuestion(operation)) {
                underWay.remove(i);
                break;
            }
        }
        operations.add(operation);
    }

    /** Asks something that is about no claim, and records it with the answer in words. */
    <T> T ask(String who, Kind kind, String lock, String asked, Supplier<T> question) {
        long begin = asked(who, 0, lock, kind, asked);
        String answer = "";
        try {
            T answered = question.get();
            answer = answered instanceof Boolean yes ? (yes ? Operation.YES : Operation.NO) : String.valueOf(answered);
            return answered;
        } catch (RuntimeException | Error unanswered) {
            answer = "unknown: " + unanswered;
            throw unanswered;
        } finally {
            add(Operation.about(who, kind, lock, begin, now(), asked, answer));
        }
    }

    /** Adds something to be read between the operations. */
    public void note(String who, String text) {
        long now = now();
        add(Operation.about(who, Kind.NOTE, "", now, now, "", text));
    }

    /** Adds something to be read that happened before, at a value of {@link System#nanoTime}. */
    public void noteOf(long nanoTime, String who, String text) {
        long then = nanoTime - start;
        add(Operation.about(who, Kind.NOTE, "", then, then, "", text));
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
        add(Operation.about("suite", kind, lock, begin, begin, "", "begins: " + text));
        try {
            cause.run();
        } finally {
            add(Operation.about("suite", kind, lock, begin, now(), "", text));
        }
    }

    /**
     * Adds a stretch of work under a lease, from after the lease was seen held until before it was seen held again. The times
     * are {@link System#nanoTime} of any process of this host.
     */
    public void worked(String who, String lock, long beginNanos, long endNanos, long token) {
        add(new Operation(
                who,
                nextClaim(),
                lock,
                Kind.INSIDE,
                beginNanos - start,
                endNanos - start,
                0,
                "",
                "worked",
                0,
                token,
                1));
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
        return HistoryChecker.violations(operations()).stream()
                .map(Violation::text)
                .findFirst();
    }

    /** Who held the lock that most clients got, and when, for a picture; nothing if too much happened for one. */
    public List<Hold> holds() {
        List<Operation> all = operations();
        List<Hold> holds = all.size() > MOST_IN_A_PICTURE ? List.of() : HistoryChecker.holds(all);
        return holds.size() > MOST_IN_A_PICTURE / 10 ? List.of() : holds;
    }

    /** Fails the case if anything is wrong. */
    public void judge() {
        firstFault().ifPresent(fault -> {
            throw new AssertionError(fault);
        });
    }

    /** A client was opened, which began at {@link #now()}. Leases may run meanwhile if something was asked before. */
    public synchronized void opened(long begin) {
        if (!operations.isEmpty()) {
            slowestOpening = Math.max(slowestOpening, now() - begin);
        }
    }

    /** The suite keeps the store from answering as it would from now on, in a way that is ended by {@link #answersAgain}. */
    synchronized void silenced(Object by) {
        if (disturbances.isEmpty()) {
            outages.add(new Outage(now(), Long.MAX_VALUE));
        }
        disturbances.add(by);
    }

    /** Ends what {@link #silenced} began; false if it did not. */
    synchronized boolean answersAgain(Object by) {
        boolean silenced = disturbances.remove(by);
        if (silenced && disturbances.isEmpty()) {
            outages.add(new Outage(outages.remove(outages.size() - 1).begin(), now()));
        }
        return silenced;
    }

    /**
     * How many nanoseconds the slowest answer to a claim took, or has taken so far, or opening a client amid the case; without the
     * time in which the suite kept the store from answering.
     */
    public synchronized long slowest() {
        long answered = operations.stream()
                .filter(operation -> operation.claim() > 0 && operation.kind() != Kind.INSIDE)
                .mapToLong(operation -> undisturbed(operation.begin(), operation.end()))
                .reduce(slowestOpening, Math::max);
        long now = now();
        return underWay.stream()
                .filter(operation -> operation.claim() > 0)
                .mapToLong(operation -> undisturbed(operation.begin(), now))
                .reduce(answered, Math::max);
    }

    private long undisturbed(long begin, long end) {
        long disturbed =
                outages.stream().mapToLong(outage -> outage.overlap(begin, end)).sum();
        return end - begin - disturbed;
    }

    private Stream<Operation> of(String who) {
        return operations().stream().filter(operation -> operation.who().equals(who));
    }

    /** All events as lines of JSON, as {@code docs/history.md} describes them; what is not answered yet has no line. */
    public List<String> lines() {
        return operations().stream().map(HistoryFormat::line).toList();
    }

    /** The time line: when, how long, who, what, which lock, the answer; with what is not answered yet. */
    public String timeline() {
        List<Operation> all;
        synchronized (this) {
            long now = now();
            all = new ArrayList<>(operations);
            underWay.forEach(question -> all.add(question.answered(now, question.answer())));
        }
        return new Timeline(all).text();
    }
}
