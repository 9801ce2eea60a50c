// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockException;
import io.mortise.lock.LockHolder;
import io.mortise.lock.LockOptions;
import io.mortise.lock.faults.check.Checker;
import io.mortise.lock.faults.check.Verdict;
import io.mortise.lock.faults.guard.GuardedPlace;
import io.mortise.lock.faults.history.FaultWindow;
import io.mortise.lock.faults.history.Journals;
import io.mortise.lock.faults.history.WorkerHistory;
import io.mortise.lock.faults.history.WorkerHistory.Stall;
import io.mortise.lock.faults.scenario.Fault;
import io.mortise.lock.faults.scenario.Promise;
import io.mortise.lock.faults.scenario.Route;
import io.mortise.lock.faults.scenario.Scenario;
import io.mortise.lock.faults.worker.Worker;
import io.mortise.lock.spi.Feature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One store for some time: workers use its locks while faults happen, one after the other; then the history is judged. */
final class StoreRun implements AutoCloseable {
    /** The locks, few, so that the workers meet. */
    static final List<String> NAMES = List.of("one", "two", "three");

    private static final int WORKERS = 3;
    private static final int THREADS = 3;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** A worker, the way that it goes, and what was done to it. */
    private static final class Slot {
        final Route route;
        final List<Stall> freezes = new ArrayList<>();

        @Nullable
        Worker worker;

        Slot(Route route) {
            this.route = route;
        }

        Worker worker() {
            if (worker == null) {
                throw new IllegalStateException("no worker was started");
            }
            return worker;
        }
    }

    private final String store;
    private final Scenario scenario;
    private final long seed;
    private final Random random;
    private final Path folder;
    private final GuardedPlace place = new GuardedPlace();
    private final List<Slot> slots = new ArrayList<>();
    private final List<FaultWindow> windows = new ArrayList<>();
    private final List<WorkerHistory> histories = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private final Map<String, Integer> kinds = new TreeMap<>();
    private int started;
    /** Whether a worker has a fault while the store has one, which need not answer then. */
    private boolean isInside;

    StoreRun(String store, Scenario scenario, long seed, Path folder) {
        this.store = store;
        this.scenario = scenario;
        this.seed = seed;
        this.random = new Random(seed);
        this.folder = folder;
    }

    /** Causes faults for so long, heals all, and answers what was seen. */
    Result run(Duration length) throws Exception {
        if (Files.exists(folder)) {
            try (Stream<Path> earlier = Files.list(folder)) {
                earlier.forEach(file -> file.toFile().delete());
            }
        }
        Files.createDirectories(folder);
        try (LockClient operator = open()) {
            for (int i = 0; i < WORKERS; i++) {
                Slot slot = new Slot(scenario.route());
                slots.add(slot);
                begin(slot);
            }
            await("the workers get locks", () -> journals() > 0);
            long end = System.nanoTime() + length.toNanos();
            while (System.nanoTime() - end < 0) {
                pass(between(1_000, 7_000));
                fault(operator);
            }
            pass(2_000);
            for (Slot slot : slots) {
                end(slot, true);
            }
            nothingIsLeft(operator);
        }
        Verdict verdict = new Checker(
                        histories,
                        windows,
                        place.writes(),
                        scenario.longestLease(),
                        scenario.keepsOfTheDead(),
                        scenario.waitsForFreeLocks())
                .judge();
        violations.addAll(verdict.violations());
        return new Result(store, seed, kinds, verdict, violations, scenario.leftOut());
    }

    private LockClient open() throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return LockClient.builder(scenario.url())
                        .options(LockOptions.defaults().withLease(scenario.longestLease()))
                        .build();
            } catch (LockException notYet) {
                if (System.nanoTime() - end > 0) {
                    throw notYet;
                }
                pass(200);
            }
        }
    }

    private void begin(Slot slot) {
        started++;
        slot.freezes.clear();
        slot.worker = Worker.start(
                folder.resolve("worker-" + started + ".journal"),
                scenario.clock(random),
                slot.route.url(),
                place.port(),
                seed * 1_000 + started * 10L,
                THREADS,
                scenario.longestLease(),
                NAMES);
    }

    /** Lets the worker close its client. */
    private void end(Slot slot, boolean release) throws InterruptedException {
        if (!slot.worker().end(release)) {
            violations.add("process " + slot.worker().pid() + " did not close its client within two minutes");
            slot.worker().kill();
        }
        ended(slot);
    }

    private void ended(Slot slot) {
        Worker worker = slot.worker();
        histories.add(Journals.read(worker.journal(), worker.pid(), slot.freezes, System.nanoTime()));
        slot.worker = null;
    }

    /** A fault of the store, of a worker, or one of each at once. */
    private void fault(LockClient operator) throws Exception {
        List<Fault> faults = scenario.faults();
        int which = random.nextInt(10);
        if (which < 4) {
            ofWorker(operator);
            return;
        }
        Fault fault = faults.get(random.nextInt(faults.size()));
        cause(operator, fault.kind(), fault.promise(), () -> {
            Fault.Step heal = fault.cause().by(random);
            try {
                pass(between(100, fault.longestMillis()));
                if (which > 7) {
                    isInside = true;
                    ofWorker(operator);
                }
            } finally {
                isInside = false;
                heal.take();
            }
        });
    }

    private void ofWorker(LockClient operator) throws Exception {
        Slot slot = slots.get(random.nextInt(slots.size()));
        switch (random.nextInt(slot.route.canBeCut() ? 7 : 4)) {
            case 0 ->
                cause(operator, "client killed", null, () -> {
                    slot.worker().kill();
                    ended(slot);
                    begin(slot);
                });
            case 1 ->
                cause(operator, "client frozen", null, () -> {
                    long begin = System.nanoTime();
                    slot.worker().freeze();
                    pass(between(200, 9_000));
                    slot.worker().thaw();
                    slot.freezes.add(new Stall(begin, System.nanoTime()));
                });
            case 2 ->
                cause(operator, "client restarted", null, () -> {
                    end(slot, true);
                    begin(slot);
                });
            case 3 ->
                cause(operator, "client closed while holding", null, () -> {
                    end(slot, false);
                    begin(slot);
                });
            case 4 -> cutOne(operator, "client cut", slot.route::cut, slot.route);
            case 5 -> cutOne(operator, "client in a black hole", slot.route::freeze, slot.route);
            default ->
                cutOne(
                        operator,
                        "client far away",
                        () -> slot.route.delayReplies(Duration.ofMillis(between(50, 900))),
                        slot.route);
        }
    }

    private void cutOne(LockClient operator, String kind, Runnable cut, Route route) throws Exception {
        cause(operator, kind, null, () -> {
            cut.run();
            pass(between(200, 7_000));
            route.heal();
        });
    }

    /** The window begins before the fault and ends when the store has answered after it. */
    private void cause(LockClient operator, String kind, @Nullable Promise promise, Fault.Step fault) throws Exception {
        kinds.merge(kind, 1, Integer::sum);
        long begin = System.nanoTime();
        int at = windows.size();
        windows.add(new FaultWindow(kind, begin, begin, begin, promise));
        fault.take();
        long healed = System.nanoTime();
        boolean answered = isInside || answers(operator);
        FaultWindow window = new FaultWindow(kind, begin, healed, System.nanoTime(), promise);
        windows.set(at, window);
        Files.writeString(
                folder.resolve("faults"), window + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        if (!answered) {
            violations.add("two minutes after the fault '" + kind + "' was healed the store did not answer yet");
        }
    }

    /** Whether the store grants locks of all names that nobody uses. */
    private static boolean answers(LockClient operator) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        for (int i = 0; System.nanoTime() - end < 0; i++) {
            try {
                operator.lock("operator " + i % 10).tryAcquire().ifPresent(Lease::release);
                return true;
            } catch (LockException notYet) {
                pass(50);
            }
        }
        return false;
    }

    /** Every lock is free within the longest time for which the store keeps what the dead had, and nobody is listed. */
    private void nothingIsLeft(LockClient operator) throws InterruptedException {
        Duration wait = scenario.keepsOfTheDead().plus(scenario.waitsForFreeLocks());
        long end = System.nanoTime() + wait.toNanos();
        for (String name : NAMES) {
            try {
                Optional<Lease> lease =
                        operator.lock(name).tryAcquire(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
                if (lease.isEmpty()) {
                    violations.add(
                            "when all had closed their clients the lock '" + name + "' was not free within " + wait);
                } else {
                    lease.get().release();
                }
            } catch (LockException failure) {
                violations.add(
                        "when all had closed their clients the lock '" + name + "' could not be got: " + failure);
            }
        }
        if (operator.features().contains(Feature.LISTABLE)) {
            List<String> holders = List.of();
            do {
                try {
                    holders = operator.holders("").map(LockHolder::toString).toList();
                } catch (LockException failure) {
                    holders = List.of(failure.toString());
                }
                pass(50);
            } while (!holders.isEmpty() && System.nanoTime() - end < 0);
            if (!holders.isEmpty()) {
                violations.add("when all had closed their clients these locks were still held: " + holders);
            }
        }
    }

    private long journals() {
        long length = 0;
        for (Slot slot : slots) {
            try {
                String text = Files.exists(slot.worker().journal())
                        ? Files.readString(slot.worker().journal())
                        : "";
                length += text.contains("GRANTED") ? 1 : 0;
            } catch (IOException notYet) {
                return 0;
            }
        }
        return length;
    }

    private interface Condition {
        boolean isSo();
    }

    private static void await(String what, Condition condition) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.isSo()) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("this did not become so: " + what);
            }
            pass(50);
        }
    }

    private int between(int least, int most) {
        return random.nextInt(least, Math.max(least + 1, most));
    }

    private static void pass(long millis) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    @Override
    public void close() {
        for (Slot slot : slots) {
            if (slot.worker != null) {
                slot.worker.close();
            }
        }
        place.close();
        scenario.close();
    }
}
