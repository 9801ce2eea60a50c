// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.core;

import static io.mortise.lock.tck.scene.Expect.allHeld;
import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.present;
import static io.mortise.lock.tck.scene.Expect.that;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Cases about the threads of one client that wait for the same lock in the client's own queue. */
public interface LocalQueueCases {
    @Rule(
            says = "When a lease is lost, the next thread of the same client can have the lock as soon as others can.",
            because = "A local gate that only its owner opens turns one hung thread into a dead process.")
    default void l1_aLossOpensTheLocalQueue(Scene scene) throws Exception {
        DistributedLock lock = scene.lockOf("A", scene.options("A").withRenewal(false));
        Lease stuck = present(lock.tryAcquire());
        BackgroundTask<Lease> next = scene.start("A2", lock::acquire);
        Lease lease = next.get(scene.afterLease());
        that(!stuck.isHeld(), "the lease before must have ended");
        that(lease.release(), "the lease must have been held until its release");
    }

    @Rule(
            says = "Threads that want different locks never wait for each other.",
            because = "Striped local locks make deadlocks out of independent locks.")
    default void l3_differentNamesNeverWaitForEachOther(Scene scene) throws Exception {
        LockClient client = scene.client("A");
        Lease first = present(client.lock(scene.lock("AaBB")).tryAcquire());
        for (String equalHash : List.of("BBAa", "AaAa", "BBBB")) {
            BackgroundTask<Lease> other = scene.start(equalHash, client.lock(scene.lock(equalHash))::acquire);
            other.get(scene.lease().plus(scene.tolerance())).release();
        }
        that(first.release(), "the lease must have been held until its release");
    }

    @Rule(
            says = "Threads of one client get the lock in the order in which they came.",
            because = "A thread that came first must not be the last to be served.")
    default void k8_threadsOfOneClientAreServedInOrder(Scene scene) throws Exception {
        DistributedLock lock = scene.lockOf("A");
        RecordingClaim holder = granted(scene.lasting("B"));
        List<Integer> order = new CopyOnWriteArrayList<>();
        List<BackgroundTask<Boolean>> waiters = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            int number = i;
            BackgroundTask<Boolean> waiter = scene.start("A" + i, () -> {
                Lease lease = lock.acquire();
                order.add(number);
                return lease.release();
            });
            waiters.add(waiter);
            scene.await("thread " + i + " waits", waiter::isWaiting);
        }
        holder.release();
        for (BackgroundTask<Boolean> waiter : waiters) {
            waiter.get(scene.limit());
        }
        that(order.equals(List.of(0, 1, 2, 3, 4)), "the order was " + order);
    }

    @Rule(
            says = "However many threads of one client wait for a lock, one of them asks the store.",
            because = "A thousand waiting threads must not be a thousand clients to the store.")
    default void k4_oneThreadAsksForAll(Scene scene) throws Exception {
        DistributedLock lock = scene.lockOf("A");
        RecordingClaim holder = granted(scene.lasting("B"));
        List<BackgroundTask<Boolean>> waiters = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            waiters.add(scene.start("A" + i, () -> lock.acquire().release()));
        }
        scene.awaitTry("A");
        scene.pass(Duration.ofMillis(100));
        long claims = scene.history().claimsThatTried("A");
        that(claims == 1, "of 50 waiting threads " + claims + " asked the store");
        holder.release();
        allHeld(scene, waiters);
    }

    @Rule(
            says =
                    "A thread that follows another of the same client gets the lease that it asked for, not the rest of the"
                            + " other's.",
            because = "A hand-over without asking the store must not change what was promised.")
    default void f6_aFollowerGetsItsOwnLease(Scene scene) throws Exception {
        scene.needs(scene.leases(5));
        LockClient client = scene.client("A");
        LockOptions brief = scene.options("A").withLocalHandOvers(16).withRenewal(false);
        LockOptions lasting = brief.withLease(scene.leases(5));
        for (boolean briefFirst : new boolean[] {true, false}) {
            LockOptions mine = briefFirst ? brief : lasting;
            LockOptions next = briefFirst ? lasting : brief;
            Lease first = present(client.lock(scene.lock(), mine).tryAcquire());
            BackgroundTask<Lease> follower = scene.start("A2", client.lock(scene.lock(), next)::acquire);
            scene.pass(Duration.ofMillis(30));
            that(first.release(), "the lease must have been held until its release");
            Lease second = follower.get(scene.limit());
            Duration rest = second.remaining();
            that(
                    rest.compareTo(next.lease()) <= 0 && (!briefFirst || rest.compareTo(brief.lease()) > 0),
                    "a lease of " + next.lease() + " after one of " + mine.lease() + " has " + rest + " left");
            second.release();
        }
    }

    @Rule(
            says = "After as many hand-overs inside a client as its options allow, the store is asked again.",
            because = "A busy client would keep the lock among its own threads, and others would starve.")
    default void k9_handOversAreLimited(Scene scene) throws Exception {
        DistributedLock lock = scene.lockOf("A", scene.options("A").withLocalHandOvers(3));
        List<BackgroundTask<Boolean>> threads = new CopyOnWriteArrayList<>();
        int holds = 40;
        // Held until all are listed: each is to wait for all others.
        try (Lease held = lock.acquire()) {
            for (int i = 0; i < 4; i++) {
                threads.add(scene.start("A" + i, () -> {
                    boolean all = true;
                    for (int j = 0; j < holds / 4; j++) {
                        Lease lease = lock.acquire();
                        awaitOthers(scene, threads);
                        all &= lease.release();
                    }
                    return all;
                }));
            }
        }
        allHeld(scene, threads);
        long grants = scene.history().claimsThatTried("A");
        that(grants >= holds / 4, holds + " holds with 3 hand-overs each came from " + grants + " grants");
    }

    /** Waits until all others wait for the lock, or have ended: where nobody waits, nothing can be handed over. */
    private static void awaitOthers(Scene scene, List<BackgroundTask<Boolean>> threads) throws InterruptedException {
        scene.await("the others wait", () -> threads.stream()
                .filter(thread -> thread.thread() != Thread.currentThread())
                .allMatch(thread -> thread.isWaiting() || thread.isDone()));
    }
}
