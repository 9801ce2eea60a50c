// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.core;

import static io.mortise.lock.tck.scene.Expect.between;
import static io.mortise.lock.tck.scene.Expect.empty;
import static io.mortise.lock.tck.scene.Expect.free;
import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.present;
import static io.mortise.lock.tck.scene.Expect.that;
import static io.mortise.lock.tck.scene.Expect.thrown;
import static io.mortise.lock.tck.scene.Expect.time;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import io.mortise.lock.tck.time.JumpingTicker;
import java.time.Duration;
import java.util.Optional;

/**
 * Cases about waiting for a lock: a call waits neither shorter nor longer than it was asked to, and leaves nothing
 * behind.
 */
public interface WaitingCases {
    @Rule(
            says = "A plain try answers at once.",
            because = "Callers that do not want to wait do something else instead, now.")
    default void c1_aPlainTryAnswersAtOnce(Scene scene) throws Exception {
        String lock = scene.lock("lock");
        held(scene, lock);
        LockClient client = scene.client("B");
        between("a plain try", time(() -> empty(client.lock(lock).tryAcquire())), Duration.ZERO, scene.tolerance());
    }

    @Rule(
            says = "A timed wait for a busy lock is not shorter than asked for, and not longer than a tolerance.",
            because = "Deadlines of callers add up: a wait that overruns breaks everything above it.")
    default void c2_aTimedWaitKeepsItsTime(Scene scene) throws Exception {
        Duration wait = wait(scene);
        String lock = scene.lock("lock");
        held(scene, lock);
        LockClient client = scene.client("B");
        Duration took = time(() -> empty(client.lock(lock).tryAcquire(wait)));
        between("the wait", took, wait, wait.plus(scene.tolerance()));
    }

    @Rule(
            says = "Waiting for threads of the same client and for other clients is one wait with one deadline.",
            because = "Two waits one after the other take twice as long as the caller allowed.")
    default void c3_localAndRemoteWaitShareADeadline(Scene scene) throws Exception {
        Duration wait = wait(scene);
        String lock = scene.lock("lock");
        held(scene, lock);
        LockClient client = scene.client("B");
        BackgroundTask<Optional<Lease>> first =
                scene.start("first", () -> client.lock(lock).tryAcquire(wait.dividedBy(2)));
        scene.await(
                "B has asked the store", scene.limit(), () -> scene.history().tries("B") > 0);
        BackgroundTask<Duration> second =
                scene.start("second", () -> time(() -> empty(client.lock(lock).tryAcquire(wait))));
        Duration third = time(() -> empty(client.lock(lock).tryAcquire(wait.dividedBy(3))));
        between(
                "a wait in the local queue",
                third,
                wait.dividedBy(3),
                wait.dividedBy(3).plus(scene.tolerance()));
        empty(first.get(scene.limit()));
        between("the whole wait", second.get(scene.limit()), wait, wait.plus(scene.tolerance()));
    }

    @Rule(
            says = "Waits of nothing and of forever work; a negative one is refused.",
            because = "Overflow turns the longest wait into none at all.")
    default void c4_zeroAndHugeWaitsWork(Scene scene) throws Exception {
        String lock = scene.lock("lock");
        LockClient client = scene.client("B");
        RecordingClaim holder = held(scene, lock);
        between(
                "no wait",
                time(() -> empty(client.lock(lock).tryAcquire(Duration.ZERO))),
                Duration.ZERO,
                scene.tolerance());
        thrown(
                IllegalArgumentException.class,
                () -> client.lock(lock).tryAcquire(Duration.ofNanos(-1)),
                "a negative wait must be refused");
        for (Duration huge : new Duration[] {
            Duration.ofDays(100_000), Duration.ofNanos(Long.MAX_VALUE), Duration.ofSeconds(Long.MAX_VALUE)
        }) {
            BackgroundTask<Optional<Lease>> waiting =
                    scene.start("B", () -> client.lock(lock).tryAcquire(huge));
            scene.pass(Duration.ofMillis(30));
            that(!waiting.isDone(), "a wait of " + huge + " must not end while the lock is held");
            holder.release();
            present(waiting.get(scene.lease().plus(scene.tolerance()))).release();
            holder = held(scene, lock);
        }
    }

    @Rule(
            says = "A wait is as long as asked for, wherever the wall clock jumps meanwhile.",
            because = "Hosts set their clocks while programs run.")
    default void c5_wallClockJumpsDoNotChangeAWait(Scene scene) throws Exception {
        Duration wait = wait(scene);
        String lock = scene.lock("lock");
        held(scene, lock);
        JumpingTicker ticker = new JumpingTicker();
        LockClient client = scene.client("B", scene.open(), builder -> builder.ticker(ticker));
        for (Duration jump : new Duration[] {Duration.ofHours(1), Duration.ofHours(-2)}) {
            BackgroundTask<Duration> waiting =
                    scene.start("B", () -> time(() -> empty(client.lock(lock).tryAcquire(wait))));
            scene.pass(wait.dividedBy(3));
            ticker.jump(jump);
            between("the wait", waiting.get(scene.limit()), wait, wait.plus(scene.tolerance()));
        }
    }

    @Rule(
            says = "A waiter that is woken and loses the race goes on waiting for the rest of its time.",
            because = "Under load everybody who loses once would give up.")
    default void c6_losingARaceDoesNotEndTheWait(Scene scene) throws Exception {
        Duration wait = wait(scene);
        String lock = scene.lock("lock");
        RecordingClaim[] holder = {held(scene, lock)};
        LockClient client = scene.client("B");
        Optional<Lease>[] answer = boxed();
        BackgroundTask<Duration> waiting =
                scene.start("B", () -> time(() -> answer[0] = client.lock(lock).tryAcquire(wait)));
        while (!waiting.isDone()) {
            holder[0].release();
            holder[0] = scene.claim("A", lock);
            holder[0].tryAcquire();
            scene.pass(Duration.ofMillis(5));
        }
        Duration took = waiting.get(scene.limit());
        if (answer[0].isEmpty()) {
            between("a wait that ended without the lock", took, wait, wait.plus(scene.tolerance()));
        }
    }

    @Rule(
            says = "A call without time to wait asks the store at most once and leaves nothing behind.",
            because = "A caller whose time is over must not load the store or stand in a queue.")
    default void c8_noTimeMeansOneTry(Scene scene) throws Exception {
        String lock = scene.lock("lock");
        RecordingClaim holder = held(scene, lock);
        empty(scene.client("B").lock(lock).tryAcquire(Duration.ZERO));
        that(
                scene.history().tries("B") <= 1,
                "the store was asked " + scene.history().tries("B") + " times");
        holder.release();
        free(scene, lock);
    }

    @Rule(
            says = "A waiter whose time is over never gets the lock afterwards and holds nobody up.",
            because = "A lock that nobody knows that they have is lost until its lease ends, or forever.")
    default void c9_aTimedOutWaiterIsGone(Scene scene) throws Exception {
        String lock = scene.lock("lock");
        RecordingClaim holder = held(scene, lock);
        empty(scene.client("B").lock(lock).tryAcquire(scene.leases(0.1)));
        holder.release();
        free(scene, lock);
        scene.pass(Duration.ofMillis(50));
        free(scene, lock);
    }

    /** Long enough to measure and to ask the store again and again, and short enough to bear. */
    private static Duration wait(Scene scene) {
        return scene.tolerance().plusMillis(50);
    }

    private static RecordingClaim held(Scene scene, String lock) {
        return granted(scene.lasting("A", lock));
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Optional<Lease>[] boxed() {
        return new Optional[] {Optional.empty()};
    }
}
