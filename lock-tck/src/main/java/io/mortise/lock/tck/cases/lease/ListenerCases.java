// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.lease;

import static io.mortise.lock.tck.scene.Expect.free;
import static io.mortise.lock.tck.scene.Expect.freeWithin;
import static io.mortise.lock.tck.scene.Expect.present;
import static io.mortise.lock.tck.scene.Expect.taken;
import static io.mortise.lock.tck.scene.Expect.that;
import static io.mortise.lock.tck.scene.Expect.thrown;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LossCause;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.scene.Expect;
import io.mortise.lock.tck.scene.LossWatch;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** Cases about the listeners of a lease: each is told of a loss always, once, and without harm to others. */
public interface ListenerCases {
    @Rule(
            says = "A listener that is registered after the loss is told at once.",
            because = "The loss can come before the next line of code.")
    default void h6_aLateListenerIsToldAtOnce(Scene scene) throws InterruptedException {
        Lease lease = unrenewed(scene);
        scene.await("the lease has ended", () -> !lease.isHeld());
        LossWatch watch = new LossWatch(lease);
        scene.await("the loss is told", scene.tolerance(), watch::isLost);
    }

    @Rule(
            says = "A lease that is released is not reported as lost, at the end of its client neither.",
            because = "An alarm at every shutdown is an alarm that nobody hears.")
    default void h7_releasingIsNoLoss(Scene scene) throws InterruptedException {
        LockClient client = scene.client("A");
        Lease lease = present(client.lock(scene.lock()).tryAcquire());
        LossWatch watch = new LossWatch(lease);
        that(lease.release(), "the lease was held until its release");
        client.close();
        scene.pass(scene.leases(1.2));
        that(!watch.isLost(), "a released lease was reported as lost: " + watch.detail());
        that(lease.release(), "the answer stays the same");
    }

    @Rule(
            says =
                    "Closing a client tells the holders of leases that were not released, with the closing as the cause, and"
                            + " interrupts the tasks that run under its locks.",
            because = "The next holder begins now, and work that goes on meets the next holder's.")
    default void h12_closingTellsHolders(Scene scene) throws Exception {
        LockClient client = scene.client("A");
        Lease lease = present(client.lock(scene.lock("held")).tryAcquire());
        LossWatch watch = new LossWatch(lease);
        AtomicBoolean working = new AtomicBoolean();
        Expect.Action task = () -> client.lock(scene.lock()).run(held -> {
            working.set(true);
            new CountDownLatch(1).await();
        });
        BackgroundTask<LockLostException> told = scene.start(
                "A", () -> thrown(LockLostException.class, task, "a task must be told that its client was closed"));
        scene.await("the task works", working::get);
        client.close();
        LossCause cause = told.get(scene.limit()).loss().cause();
        that(cause == LossCause.CLIENT_CLOSED, "the task must be told that its client was closed, not " + cause);
        that(!lease.isHeld(), "a closed client holds nothing");
        scene.await("the loss is told", scene.tolerance(), watch::isLost);
        that(watch.cause() == LossCause.CLIENT_CLOSED, "the cause must be CLIENT_CLOSED, not " + watch.cause());
        LockLostException closing = thrown(LockLostException.class, lease::close, "closing a lost lease must tell");
        that(closing.loss().cause() == LossCause.CLIENT_CLOSED, "the cause must be told, not " + closing.loss());
        free(scene);
    }

    @Rule(
            says = "A listener that blocks or throws delays neither renewals nor other listeners.",
            because = "One slow log appender must not cost all locks.")
    default void h8_aBadListenerDelaysNobody(Scene scene) throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        scene.closeAtEnd(end::countDown);
        LockClient client = scene.client("A");
        Lease other = present(client.lock(scene.lock("other")).tryAcquire());
        Lease lost = present(client.lock(scene.lock("lost"), scene.options("A").withRenewal(false))
                .tryAcquire());
        lost.onLost(loss -> {
            try {
                end.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        });
        lost.onLost(loss -> {
            throw new IllegalStateException("thrown by a listener on purpose");
        });
        LossWatch watch = new LossWatch(lost);
        scene.await("the lease has ended", () -> !lost.isHeld());
        scene.await("the other listener is told", scene.tolerance(), watch::isLost);
        scene.pass(scene.leases(1.2));
        that(other.isHeld(), "the other lock's renewals have stopped");
        taken(scene, scene.lock("other"));
        end.countDown();
    }

    @Rule(
            says = "A lease can be released inside its own listener.",
            because = "It is the first thing that people write there.")
    default void h9_aListenerMayRelease(Scene scene) throws InterruptedException {
        Lease lease = unrenewed(scene);
        AtomicBoolean done = new AtomicBoolean();
        lease.onLost(loss -> {
            lease.release();
            done.set(true);
        });
        scene.await("the listener has released", done::get);
        freeWithin(scene, scene.afterLease());
    }

    @Rule(
            says = "At maxHold renewal stops: the lease is at risk, then lost with that cause, and the lock is free.",
            because = "A job that hangs must not hold its lock forever.")
    default void g10_maxHoldEndsALease(Scene scene) throws InterruptedException {
        LockOptions options = scene.options("A").withMaxHold(scene.leases(1.5));
        Lease lease = present(scene.lockOf("A", options).tryAcquire());
        LossWatch watch = new LossWatch(lease);
        scene.pass(scene.leases(1.1));
        RecordingClaim another = scene.claim("B");
        that(!another.tryAcquire() || !lease.isHeld(), "nobody else may be granted the lock while the lease holds it");
        another.release();
        scene.await("the loss is told", watch::isLost);
        that(watch.wasAtRisk(), "the danger must be told before the loss");
        that(watch.cause() == LossCause.MAX_HOLD_REACHED, "the cause must be maxHold, not " + watch.cause());
        freeWithin(scene, scene.afterLease());
        free(scene);
    }

    private static Lease unrenewed(Scene scene) {
        return present(scene.lockOf("A", scene.options("A").withRenewal(false)).tryAcquire());
    }
}
