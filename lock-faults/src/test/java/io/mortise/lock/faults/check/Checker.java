// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.check;

import io.mortise.lock.faults.guard.GuardedPlace.Write;
import io.mortise.lock.faults.history.Attempt;
import io.mortise.lock.faults.history.Attempt.Word;
import io.mortise.lock.faults.history.FaultWindow;
import io.mortise.lock.faults.history.WorkerHistory;
import io.mortise.lock.faults.scenario.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Judges what the processes of a run have told, by what is promised. */
public final class Checker {
    /** What the scheduler of a busy machine and eight listeners before one may take. */
    private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    /** A client that was cut off connects again, and its pauses have doubled to a second. */
    private static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(3);
    /** A store keeps a lease a little longer than its holder relies on it; some count whole seconds. */
    private static final long KEPT_NANOS = TimeUnit.MILLISECONDS.toNanos(2_500);

    private static final int SHOWN = 14;

    private final List<WorkerHistory> workers;
    private final List<FaultWindow> faults;
    private final List<Write> writes;
    private final long longestLease;
    private final long keptOfTheDead;
    private final long waitBound;
    private final Map<String, List<Attempt>> byName;
    private final Map<String, Attempt> byId = new HashMap<>();
    private final Map<String, Long> allowed = new TreeMap<>();
    private final List<String> violations = new ArrayList<>();
    private long longestLoss;

    /** The faults in the order of their begin, and the writes in the order of their arrival. */
    public Checker(
            List<WorkerHistory> workers,
            List<FaultWindow> faults,
            List<Write> writes,
            Duration longestLease,
            Duration keptOfTheDead,
            Duration waitBound) {
        this.workers = workers;
        this.faults = faults;
        this.writes = writes;
        this.longestLease = longestLease.toNanos();
        this.keptOfTheDead = Math.max(keptOfTheDead.toNanos(), longestLease.toNanos()) + KEPT_NANOS;
        this.waitBound = waitBound.toNanos();
        byName = workers.stream()
                .flatMap(worker -> worker.attempts.stream())
                .sorted(Comparator.comparingLong(attempt -> attempt.asked))
                .collect(Collectors.groupingBy(attempt -> attempt.name, TreeMap::new, Collectors.toList()));
        byName.values().forEach(all -> all.forEach(attempt -> byId.put(attempt.id, attempt)));
    }

    /** Looks at everything once. */
    public Verdict judge() {
        for (List<Attempt> attempts : byName.values()) {
            List<Attempt> granted = attempts.stream()
                    .filter(Attempt::isGranted)
                    .sorted(Comparator.comparingLong(attempt -> attempt.answered))
                    .toList();
            overlaps(granted);
            tokens(granted);
            granted.forEach(this::loss);
            waits(attempts);
        }
        staleWrites();
        words();
        workers.forEach(this::leftOvers);
        Map<String, Long> words = byName.values().stream()
                .flatMap(List::stream)
                .filter(attempt -> !attempt.isGranted())
                .collect(Collectors.groupingBy(attempt -> attempt.word.name(), TreeMap::new, Collectors.counting()));
        byName.values().stream()
                .flatMap(List::stream)
                .filter(attempt -> attempt.release != null)
                .forEach(attempt -> words.merge("release " + attempt.release, 1L, Long::sum));
        long lost = byName.values().stream()
                .flatMap(List::stream)
                .filter(attempt -> attempt.lost != 0)
                .count();
        words.put("told lost", lost);
        return new Verdict(
                byName.values().stream()
                        .flatMap(List::stream)
                        .filter(Attempt::isGranted)
                        .count(),
                words,
                allowed,
                longestLoss,
                writes.stream().filter(write -> !write.taken()).count(),
                violations);
    }

    /** No two may rely on one name at once. */
    private void overlaps(List<Attempt> granted) {
        Attempt last = null;
        for (Attempt attempt : granted) {
            if (last != null && last.reliedOnUntil() - attempt.answered > 0) {
                long both = Math.min(last.reliedOnUntil(), attempt.reliedOnUntil()) - attempt.answered;
                if (both > 0) {
                    judge(
                            attempt,
                            Promise::overlaps,
                            "two holders for " + millis(both) + " ms: " + last + " and " + attempt);
                }
            }
            if (last == null || attempt.reliedOnUntil() - last.reliedOnUntil() > 0) {
                last = attempt;
            }
        }
    }

    /** Who asked after another had got its token gets a greater one. */
    private void tokens(List<Attempt> granted) {
        List<Attempt> byAsked = granted.stream()
                .filter(attempt -> attempt.token > 0)
                .sorted(Comparator.comparingLong(attempt -> attempt.asked))
                .toList();
        Attempt highest = null;
        int next = 0;
        for (Attempt attempt : byAsked) {
            for (; next < granted.size() && granted.get(next).answered - attempt.asked < 0; next++) {
                Attempt before = granted.get(next);
                highest = highest == null || before.token > highest.token ? before : highest;
            }
            if (highest != null && attempt.token <= highest.token) {
                judge(
                        attempt,
                        Promise::tokens,
                        "the token " + attempt.token + " of " + attempt + " is not above " + highest.token + " of "
                                + highest);
            }
        }
    }

    /** A loss is told no later than the end of the lease, from when its process could act. */
    private void loss(Attempt attempt) {
        if (attempt.releasing != 0 && attempt.releasing - attempt.until <= 0) {
            // Who has begun to release relies on nothing any more.
            return;
        }
        WorkerHistory worker = attempt.worker;
        long acted = attempt.lost != 0 ? attempt.lost : attempt.releasing != 0 ? attempt.releasing : worker.ended;
        if (worker.closing != 0 && attempt.lost == 0) {
            acted = Math.min(acted, worker.closing);
        }
        long due = worker.movedBehindStalls(attempt.until, acted);
        long late = acted - due;
        if (attempt.lost != 0 && attempt.lost - attempt.until > 0) {
            longestLoss = Math.max(longestLoss, late);
        }
        if (late > LATE_NANOS) {
            String what = attempt.lost != 0 ? " was told of its loss " : " was not told of its loss until ";
            violation(attempt, attempt.until, attempt + what + millis(late) + " ms after the end of its lease");
        }
    }

    /** Nobody waits long for a free lock, or is told that it is busy, while all is well. */
    private void waits(List<Attempt> attempts) {
        List<long[]> held = new ArrayList<>();
        attempts.forEach(attempt -> mayHold(attempt, held));
        held.sort(Comparator.comparingLong(span -> span[0]));
        List<Attempt> byEnd = attempts.stream()
                .filter(attempt -> attempt.wait > 0 && (attempt.isGranted() || attempt.word == Word.BUSY))
                .sorted(Comparator.comparingLong(attempt -> attempt.answered))
                .toList();
        long busyUntil = Long.MIN_VALUE;
        int next = 0;
        for (Attempt attempt : byEnd) {
            for (; next < held.size() && held.get(next)[0] - attempt.answered < 0; next++) {
                busyUntil = Math.max(busyUntil, held.get(next)[1]);
            }
            long well = wellSince(attempt);
            if (well == Long.MAX_VALUE) {
                continue;
            }
            long free = attempt.answered - Math.max(attempt.asked, Math.max(well, busyUntil));
            if (free > waitBound) {
                violation(
                        attempt,
                        attempt.answered,
                        attempt + " waited " + millis(free) + " ms for a free lock, and the answer was "
                                + attempt.word);
            }
        }
    }

    /** When the store may have had the lock for an attempt, rather too long than too short. */
    private void mayHold(Attempt attempt, List<long[]> held) {
        long begin = attempt.isGranted() ? attempt.answered : attempt.asked;
        switch (attempt.word) {
            case GRANTED -> {
                boolean known = "HELD".equals(attempt.release) || "LOST".equals(attempt.release);
                long end = known
                        ? attempt.released
                        : Math.max(attempt.until, Math.max(attempt.released, attempt.worker.ended)) + keptOfTheDead;
                held.add(new long[] {begin, end});
            }
            case SILENT, CLOSED, REFUSED -> held.add(new long[] {begin, attempt.answered + keptOfTheDead});
            case UNTOLD -> held.add(new long[] {begin, attempt.worker.ended + keptOfTheDead});
            case BUSY -> {}
        }
    }

    /** Since when all is well at the end of an attempt; the greatest number if it is not, or if its process stood still. */
    private long wellSince(Attempt attempt) {
        long since = Long.MIN_VALUE;
        for (FaultWindow fault : faults) {
            if (fault.begin() - attempt.answered <= 0) {
                since = Math.max(since, fault.recovered() + SETTLED_NANOS);
            }
        }
        since = attempt.worker.movedBehindStalls(Math.max(since, attempt.asked), attempt.answered);
        return since - attempt.answered >= 0 ? Long.MAX_VALUE : since;
    }

    /** A write of a holder is refused once a later holder has written. */
    private void staleWrites() {
        Map<String, Attempt> latest = new HashMap<>();
        for (Write write : writes) {
            Attempt writer = byId.get(write.attempt());
            if (writer == null || !write.taken()) {
                continue;
            }
            Attempt before = latest.get(write.name());
            if (before != null && before != writer && writer.answered - before.asked < 0) {
                judge(before, Promise::tokens, "a write of " + writer + " was taken after one of " + before);
            } else {
                latest.put(write.name(), writer);
            }
        }
    }

    /** Refusals, and exceptions of other kinds, have a cause. */
    private void words() {
        for (WorkerHistory worker : workers) {
            for (String odd : worker.odd) {
                violations.add("process " + worker.pid + ": " + odd);
            }
            for (Attempt attempt : worker.attempts) {
                boolean wellAllTheTime = wellSince(attempt) - attempt.asked <= 0;
                if (attempt.word == Word.REFUSED && wellAllTheTime) {
                    violation(
                            attempt,
                            attempt.answered,
                            attempt + " was refused, though all was well: " + attempt.detail);
                }
            }
        }
    }

    private void leftOvers(WorkerHistory worker) {
        if (!worker.left.isEmpty()) {
            violations.add("process " + worker.pid + " closed its client, and these threads were left: " + worker.left);
        }
    }

    private void judge(Attempt later, Predicate<Promise> excuse, String what) {
        for (FaultWindow fault : faults) {
            Promise promise = fault.promise();
            if (promise != null
                    && excuse.test(promise)
                    && fault.begin() - later.answered <= 0
                    && later.asked - fault.healed() - longestLease - KEPT_NANOS <= 0) {
                allowed.merge(promise.reason(), 1L, Long::sum);
                return;
            }
        }
        violation(later, later.answered, what);
    }

    private void violation(Attempt about, long at, String what) {
        violations.add(what + "\n" + around(about.name, at));
    }

    /** The attempts at a name and the faults around a moment. */
    private String around(String name, long at) {
        List<String> lines = new ArrayList<>();
        for (FaultWindow fault : faults) {
            if (fault.begin() - at < TimeUnit.SECONDS.toNanos(10)
                    && at - fault.recovered() < TimeUnit.SECONDS.toNanos(10)) {
                lines.add("  fault " + fault.kind() + " from " + millis(fault.begin() - at) + " to "
                        + millis(fault.healed() - at) + ", the store answered at " + millis(fault.recovered() - at));
            }
        }
        List<Attempt> near = byName.getOrDefault(name, List.of()).stream()
                .filter(attempt -> attempt.isGranted() || attempt.word == Word.UNTOLD || attempt.word == Word.SILENT)
                .sorted(Comparator.comparingLong(attempt -> Math.abs(attempt.ended() - at)))
                .limit(SHOWN)
                .sorted(Comparator.comparingLong(attempt -> attempt.asked))
                .toList();
        for (Attempt attempt : near) {
            lines.add("  " + attempt + " asked " + millis(attempt.asked - at) + ", " + attempt.word + " "
                    + moment(attempt.answered, at) + ", lease " + millis(attempt.lease) + ", until "
                    + moment(attempt.until, at) + ", lost " + moment(attempt.lost, at) + " " + attempt.cause
                    + ", releasing "
                    + moment(attempt.releasing, at) + ", released " + moment(attempt.released, at) + " "
                    + attempt.release + ", token " + attempt.token + ", its process ended "
                    + moment(attempt.worker.ended, at));
        }
        return String.join("\n", lines);
    }

    private static String moment(long moment, long at) {
        return moment == 0 ? "-" : String.valueOf(millis(moment - at));
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
