// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.core;

import static io.mortise.lock.tck.scene.Expect.free;
import static io.mortise.lock.tck.scene.Expect.freeWithin;
import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.present;
import static io.mortise.lock.tck.scene.Expect.that;
import static io.mortise.lock.tck.scene.Expect.thrown;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.DistributedReentrantLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import io.mortise.lock.testing.LossyBackend;
import io.mortise.lock.testing.LossyBackend.Operation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Cases about interrupts and cancelled calls: either there is a usable lease, or nothing is left behind. The leases outlast the cases, so
 * that what is left behind does not go by itself.
 */
public interface InterruptCases {
    /** How late a reply is that a case must overtake. A thread of a busy machine may need more than one attempt. */
    List<Duration> DELAYS =
            List.of(Duration.ofMillis(50), Duration.ofMillis(100), Duration.ofMillis(200), Duration.ofMillis(400));

    @Rule(
            says = "A thread that is interrupted already gets an InterruptedException, and the store is not asked.",
            because = "Shutdown interrupts threads; they must not take locks on their way out.")
    default void d1_anInterruptBeforeTheCallAsksNothing(Scene scene) {
        DistributedLock lock = scene.lockOf("A");
        Thread.currentThread().interrupt();
        thrown(InterruptedException.class, lock::acquire, "an interrupted thread must not wait");
        that(!Thread.interrupted(), "the exception stands for the flag, which must be cleared");
        that(scene.history().tries("A") == 0, "the store was asked in spite of the interrupt");
    }

    @Rule(
            says = "An interrupt ends a wait at once, and the waiter leaves nothing in the store.",
            because = "A node or queue entry of somebody who has gone blocks those behind it.")
    default void d2_anInterruptEndsTheWaitCleanly(Scene scene) throws Exception {
        RecordingClaim holder = granted(scene.lasting("A"));
        DistributedLock lock = scene.lockOf("B", scene.lastingOptions("B"));
        BackgroundTask<Lease> waiting = scene.start("B", lock::acquire);
        scene.awaitTry("B");
        waiting.thread().interrupt();
        thrown(InterruptedException.class, () -> waiting.get(scene.tolerance()), "an interrupt must end the wait");
        that(holder.release(), "the holder must have held");
        freeWithin(scene, scene.tolerance());
    }

    @Rule(
            says = "An interrupt at any moment of a call leaves either a usable lease or a free lock.",
            because = "The moment between the store's yes and the caller's is where locks get lost.")
    default void d3_anInterruptAtAnyMomentLosesNoLock(Scene scene) throws Exception {
        LossyBackend network = scene.lossy();
        LockClient client = scene.client("A", network);
        for (int i = 0; i < 30; i++) {
            String lock = scene.lock("lock-" + i);
            network.delayNextReply(Operation.TRY, Duration.ofMillis(2));
            BackgroundTask<Lease> call = scene.start("A", client.lock(lock, scene.lastingOptions("A"))::acquire);
            scene.pass(Duration.ofNanos(i * 150_000L));
            call.thread().interrupt();
            try {
                Lease lease = call.get(scene.limit());
                lease.ensureHeld();
                that(lease.release(), "the lease must have been held");
            } catch (InterruptedException interrupted) {
                freeWithin(scene, lock, scene.tolerance());
            }
        }
    }

    @Rule(
            says = "A wait that does not heed interrupts goes on, and returns with the flag set.",
            because = "An interrupt that is swallowed is a shutdown that hangs.")
    default void d4_anUninterruptibleWaitKeepsTheFlag(Scene scene) throws Exception {
        RecordingClaim holder = granted(scene.lasting("A"));
        DistributedReentrantLock view = scene.lockOf("B").asLock();
        BackgroundTask<Boolean> waiting = scene.start("B", () -> {
            view.lock();
            boolean flag = Thread.currentThread().isInterrupted();
            view.unlock();
            return flag;
        });
        scene.awaitTry("B");
        waiting.thread().interrupt();
        scene.pass(Duration.ofMillis(30));
        that(!waiting.isDone(), "lock() must not heed the interrupt");
        holder.release();
        that(waiting.get(scene.lease().plus(scene.tolerance())), "the interrupt flag must be set when lock() returns");
        free(scene);
    }

    @Rule(
            says = "A release on an interrupted thread still reaches the store, and the flag is kept.",
            because = "Cancelled work must give its locks back, too.")
    default void d5_anInterruptedThreadStillReleases(Scene scene) {
        Lease lease = present(scene.lockOf("A").tryAcquire());
        Thread.currentThread().interrupt();
        boolean held = lease.release();
        boolean flag = Thread.interrupted();
        that(held, "the lease must have been held");
        that(flag, "the interrupt flag must be kept");
        free(scene);
    }

    @Rule(
            says = "Cancelling an asynchronous call gives back whatever it gets.",
            because = "Nobody can release a lease that arrives after its future was cancelled.")
    default void d6_aCancelledCallKeepsNothing(Scene scene) throws Exception {
        RecordingClaim holder = granted(scene.lasting("A"));
        CompletableFuture<Lease> future =
                scene.lockOf("B", scene.lastingOptions("B")).acquireAsync();
        scene.awaitTry("B");
        that(future.cancel(true), "a waiting call can be cancelled");
        that(holder.release(), "the holder must have held");
        freeWithin(scene, scene.tolerance());
        for (Duration delay : DELAYS) {
            LossyBackend network = scene.lossy();
            DistributedLock lock = scene.client("C", network).lock(scene.lock(), scene.lastingOptions("C"));
            network.delayNextReply(Operation.TRY, delay);
            CompletableFuture<Optional<Lease>> late = lock.tryAcquireAsync(scene.limit());
            scene.await("C has asked the store", () -> network.calls(Operation.TRY) > 0);
            scene.pass(Duration.ofMillis(10));
            if (late.cancel(true)) {
                freeWithin(scene, scene.tolerance().plus(delay));
                return;
            }
            present(late.get()).release();
        }
        throw new AssertionError("a call whose reply is under way can be cancelled");
    }

    @Rule(
            says = "A second interrupt during the clean-up of the first does not stop the clean-up.",
            because = "Impatient shutdowns interrupt again and again.")
    default void d7_aSecondInterruptDoesNotStopTheCleanUp(Scene scene) throws Exception {
        for (Duration delay : DELAYS) {
            LossyBackend network = scene.lossy();
            String name = scene.lock("lock-" + delay.toMillis());
            DistributedLock lock = scene.client("B", network).lock(name, scene.lastingOptions("B"));
            network.delayNextReply(Operation.TRY, delay);
            network.loseNextRequest(Operation.RELEASE);
            BackgroundTask<Lease> call = scene.start("B", lock::acquire);
            scene.await("B has asked the store", () -> network.calls(Operation.TRY) > 0);
            scene.pass(Duration.ofMillis(10));
            for (int i = 0; i < 20 && !call.isDone(); i++) {
                call.thread().interrupt();
                scene.pass(Duration.ofMillis(2));
            }
            try {
                call.get(scene.limit()).release();
            } catch (InterruptedException interrupted) {
                freeWithin(scene, name, scene.tolerance());
                return;
            }
        }
        throw new AssertionError("an interrupt must end the call");
    }
}
