// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.core;

import static io.mortise.lock.tck.scene.Expect.between;
import static io.mortise.lock.tck.scene.Expect.empty;
import static io.mortise.lock.tck.scene.Expect.free;
import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.present;
import static io.mortise.lock.tck.scene.Expect.refused;
import static io.mortise.lock.tck.scene.Expect.that;
import static io.mortise.lock.tck.scene.Expect.thrown;
import static io.mortise.lock.tck.scene.Expect.time;
import static io.mortise.lock.tck.time.Timing.shorter;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import io.mortise.lock.tck.time.JumpingTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Cases about waiting for a lock: a call waits neither shorter nor longer than it was asked to, and leaves nothing
 * behind.
 */
public interface WaitingCases {
    @Rule(
            says = "A plain try answers at once.",
            because = "Callers that do not want to wait do something else instead, now.")
    default void c1_aPlainTryAnswersAtOnce(Scene scene) throws Exception {
        granted(scene.lasting("A"));
        DistributedLock lock = scene.lockOf("B");
        lasted(scene, "a plain try", time(() -> empty(lock.tryAcquire())), Duration.ZERO);
    }

    @Rule(
            says =
                    "A try, granted or refused, and a release take no longer than other calls: ten times as long at most,"
                            + " and a few hundredths of a second.",
            because =
                    "A try that waits a little for the holder makes every caller slow who only wanted to know, and a release"
                            + " that lingers everybody who waits.")
    default void c1_aRefusedTryWaitsForNobody(Scene scene) throws Exception {
        String busy = scene.lock("busy");
        granted(scene.lasting("A", busy));
        List<Duration> grants = new ArrayList<>();
        List<Duration> releases = new ArrayList<>();
        List<Duration> refusals = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            RecordingClaim free = scene.claim("B", scene.lock("free"));
            grants.add(time(() -> granted(free)));
            releases.add(time(free::release));
            RecordingClaim plain = scene.claim("B", busy);
            refusals.add(time(() -> refused(plain)));
        }
        Duration quickest = shorter(median(grants), median(releases));
        Duration most = quickest.multipliedBy(10).plusMillis(50);
        between("a try that is granted", median(grants), Duration.ZERO, most);
        between("a release", median(releases), Duration.ZERO, most);
        between("a try that is refused", median(refusals), Duration.ZERO, most);
    }

    @Rule(
            says = "A timed wait for a busy lock is not shorter than asked for, and not longer than a tolerance.",
            because = "Deadlines of callers add up: a wait that overruns breaks everything above it.")
    default void c2_aTimedWaitKeepsItsTime(Scene scene) throws Exception {
        Duration wait = wait(scene);
        granted(scene.lasting("A"));
        DistributedLock lock = scene.lockOf("B");
        Duration took = time(() -> empty(lock.tryAcquire(wait)));
        lasted(scene, "the wait", took, wait);
    }

    @Rule(
            says = "Waiting for threads of the same client and for other clients is one wait with one deadline.",
            because = "Two waits one after the other take twice as long as the caller allowed.")
    default void c3_localAndRemoteWaitShareADeadline(Scene scene) throws Exception {
        Duration wait = wait(scene);
        granted(scene.lasting("A"));
        DistributedLock lock = scene.lockOf("B");
        BackgroundTask<Optional<Lease>> first = scene.start("first", () -> lock.tryAcquire(wait.dividedBy(2)));
        scene.awaitTry("B");
        BackgroundTask<Duration> second = scene.start("second", () -> time(() -> empty(lock.tryAcquire(wait))));
        Duration third = time(() -> empty(lock.tryAcquire(wait.dividedBy(3))));
        lasted(scene, "a wait in the local queue", third, wait.dividedBy(3));
        empty(first.get(scene.limit()));
        lasted(scene, "the whole wait", second.get(scene.limit()), wait);
    }

    @Rule(
            says = "Waits of nothing and of forever work; a negative one is refused.",
            because = "Overflow turns the longest wait into none at all.")
    default void c4_zeroAndHugeWaitsWork(Scene scene) throws Exception {
        DistributedLock lock = scene.lockOf("B");
        RecordingClaim holder = granted(scene.lasting("A"));
        lasted(scene, "no wait", time(() -> empty(lock.tryAcquire(Duration.ZERO))), Duration.ZERO);
        Duration negative = Duration.ofNanos(-1);
        thrown(IllegalArgumentException.class, () -> lock.tryAcquire(negative), "a negative wait must be refused");
        for (Duration huge : new Duration[] {
            Duration.ofDays(100_000), Duration.ofNanos(Long.MAX_VALUE), Duration.ofSeconds(Long.MAX_VALUE)
        }) {
            BackgroundTask<Optional<Lease>> waiting = scene.start("B", () -> lock.tryAcquire(huge));
            scene.pass(Duration.ofMillis(30));
            that(!waiting.isDone(), "a wait of " + huge + " must not end while the lock is held");
            holder.release();
            present(waiting.get(scene.lease().plus(scene.tolerance()))).release();
            holder = granted(scene.lasting("A"));
        }
    }

    @Rule(
            says = "A wait is as long as asked for, wherever the wall clock jumps meanwhile.",
            because = "Hosts set their clocks while programs run.")
    default void c5_wallClockJumpsDoNotChangeAWait(Scene scene) throws Exception {
        Duration wait = wait(scene);
        granted(scene.lasting("A"));
        JumpingTicker ticker = new JumpingTicker();
        DistributedLock lock = scene.client("B", scene.open(), builder -> builder.ticker(ticker))
                .lock(scene.lock());
        for (Duration jump : new Duration[] {Duration.ofHours(1), Duration.ofHours(-2)}) {
            BackgroundTask<Duration> waiting = scene.start("B", () -> time(() -> empty(lock.tryAcquire(wait))));
            scene.pass(wait.dividedBy(3));
            ticker.jump(jump);
            lasted(scene, "the wait", waiting.get(scene.limit()), wait);
        }
    }

    @Rule(
            says = "A waiter that is woken and loses the race goes on waiting for the rest of its time.",
            because = "Under load everybody who loses once would give up.")
    default void c6_losingARaceDoesNotEndTheWait(Scene scene) throws Exception {
        Duration wait = wait(scene);
        DistributedLock lock = scene.lockOf("B");
        // Whoever gets the lock at the first release has lost no race.
        for (int round = 0; round < 20; round++) {
            RecordingClaim holder = granted(scene.lasting("A"));
            List<Lease> got = new CopyOnWriteArrayList<>();
            BackgroundTask<Duration> waiting =
                    scene.start("B", () -> time(() -> lock.tryAcquire(wait).ifPresent(got::add)));
            scene.await("B waits", () -> waiting.isWaiting() || waiting.isDone());
            while (!waiting.isDone()) {
                RecordingClaim next = scene.lasting("A");
                holder.release();
                next.tryAcquire();
                holder = next;
                scene.pass(Duration.ofMillis(5));
            }
            Duration took = waiting.get(scene.limit());
            if (got.isEmpty()) {
                lasted(scene, "a wait that ended without the lock", took, wait);
                return;
            }
            got.forEach(Lease::release);
            holder.release();
        }
    }

    @Rule(
            says = "A call without time to wait asks the store at most once and leaves nothing behind.",
            because = "A caller whose time is over must not load the store or stand in a queue.")
    default void c8_noTimeMeansOneTry(Scene scene) throws Exception {
        RecordingClaim holder = granted(scene.lasting("A"));
        empty(scene.lockOf("B").tryAcquire(Duration.ZERO));
        long tries = scene.history().tries("B");
        that(tries <= 1, "the store was asked " + tries + " times");
        holder.release();
        free(scene);
    }

    @Rule(
            says = "A waiter whose time is over never gets the lock afterwards and holds nobody up.",
            because = "A lock that nobody knows that they have is lost until its lease ends, or forever.")
    default void c9_aTimedOutWaiterIsGone(Scene scene) throws Exception {
        RecordingClaim holder = granted(scene.lasting("A"));
        empty(scene.lockOf("B").tryAcquire(scene.leases(0.1)));
        holder.release();
        free(scene);
        scene.pass(Duration.ofMillis(50));
        free(scene);
    }

    /** Long enough to measure and to ask the store again and again, and short enough to bear. */
    private static Duration wait(Scene scene) {
        return scene.tolerance().plusMillis(50);
    }

    private static void lasted(Scene scene, String what, Duration took, Duration wanted) {
        between(what, took, wanted, wanted.plus(scene.tolerance()));
    }

    private static Duration median(List<Duration> durations) {
        return durations.stream().sorted().toList().get(durations.size() / 2);
    }
}
