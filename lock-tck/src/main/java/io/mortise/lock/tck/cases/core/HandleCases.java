// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.core;

import static io.mortise.lock.tck.scene.Expect.free;
import static io.mortise.lock.tck.scene.Expect.freeWithin;
import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.present;
import static io.mortise.lock.tck.scene.Expect.taken;
import static io.mortise.lock.tck.scene.Expect.that;
import static io.mortise.lock.tck.scene.Expect.thrown;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.DistributedReentrantLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockClosedException;
import io.mortise.lock.LockEvent;
import io.mortise.lock.LockListener;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockReleaseException;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import io.mortise.lock.tck.time.StallMeter;
import io.mortise.lock.testing.LossyBackend;
import io.mortise.lock.testing.LossyBackend.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Cases about the objects that users hold: leases, the re-entrant view, the client. */
public interface HandleCases {
    @Rule(
            says = "The thread-owned view is re-entrant: the lock is free after as many unlocks as locks, not before.",
            because = "Code behind java.util.concurrent.locks.Lock expects to call itself.")
    default void a6_theViewCounts(Scene scene) {
        DistributedReentrantLock view =
                scene.lockOf("A", scene.lastingOptions("A")).asLock();
        view.lock();
        view.lock();
        that(view.tryLock(), "a thread that is inside gets in again");
        view.unlock();
        view.unlock();
        taken(scene);
        view.unlock();
        free(scene);
        thrown(IllegalMonitorStateException.class, view::unlock, "a thread that is not inside cannot leave");
    }

    @Rule(
            says = "Entering again after the lease was lost throws; it never looks like success.",
            because = "A count in memory says nothing about the lock in the store.")
    default void a6_enteringAgainAfterALossThrows(Scene scene) throws InterruptedException {
        DistributedReentrantLock view =
                scene.lockOf("A", scene.options("A").withRenewal(false)).asLock();
        view.lock();
        freeWithin(scene, scene.limit());
        thrown(LockLostException.class, view::lock, "the lease has ended");
        thrown(LockLostException.class, view::tryLock, "the lease has ended");
        thrown(LockLostException.class, view::unlock, "the lease has ended");
        that(view.holdCount() == 0, "the thread has left");
        view.lock();
        view.unlock();
        free(scene);
    }

    @Rule(
            says = "Releasing a lease again gives the same answer and does nothing.",
            because = "Clean-up code releases what was released before.")
    default void e3_aLeaseIsReleasedOnce(Scene scene) {
        DistributedLock lock = scene.lockOf("A", scene.lastingOptions("A"));
        Lease first = present(lock.tryAcquire());
        that(first.release(), "the lease was held until its release");
        that(first.release(), "the answer stays the same");
        Lease next = present(lock.tryAcquire());
        first.close();
        that(first.release(), "the first answer stays");
        taken(scene);
        that(next.isHeld() && next.release(), "the next lease must not be touched");
    }

    @Rule(
            says = "After a release that failed, the same thread's next lock is a new acquisition.",
            because = "A count that was not reset lets a thread in without asking the store.")
    default void e6_afterAFailedReleaseTheNextLockIsNew(Scene scene) throws InterruptedException {
        LossyBackend network = scene.lossy();
        LockClient client = scene.client("A", network, builder -> builder.callTimeout(Duration.ofSeconds(1)));
        DistributedReentrantLock view = client.lock(scene.lock()).asLock();
        view.lock();
        network.loseRandomly(1, 1);
        thrown(LockReleaseException.class, view::unlock, "the release was not answered");
        network.loseRandomly(0, 1);
        that(view.holdCount() == 0, "the thread has left all the same");
        long before = network.calls(Operation.TRY);
        view.lock();
        that(network.calls(Operation.TRY) > before, "the store must be asked again");
        that(view.holdCount() == 1, "the thread is inside once");
        view.unlock();
        free(scene);
    }

    @Rule(
            says =
                    "In try-with-resources the body's exception is primary, and that of the lost lease is suppressed in it.",
            because = "The first failure explains the others.")
    default void e7_theBodysExceptionStaysPrimary(Scene scene) {
        DistributedLock lock = scene.lockOf("A", scene.options("A").withRenewal(false));
        IllegalStateException failure = thrown(
                IllegalStateException.class,
                () -> {
                    try (Lease lease = present(lock.tryAcquire())) {
                        scene.await("the lease has ended", () -> !lease.isHeld());
                        throw new IllegalStateException("the body");
                    }
                },
                "the body threw");
        that(
                failure.getSuppressed().length == 1 && failure.getSuppressed()[0] instanceof LockLostException,
                "the loss must be suppressed in the body's exception");
    }

    @Rule(
            says = "Clients that are opened, used and closed leave no threads behind, whatever the threads are called.",
            because = "A thread for each client that ever was fills the process in the end.")
    default void e8_closedClientsLeaveNoThreads(Scene scene) throws Exception {
        granted(scene.lasting("holder", scene.lock("busy")));
        openUseAndClose(scene, "first");
        openUseAndClose(scene, "second");
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        int clients = 6;
        for (int i = 0; i < clients; i++) {
            openUseAndClose(scene, "client " + i);
        }
        try {
            // A driver may have some threads for all clients together.
            scene.await("the threads of closed clients end", () -> left(before).size() < clients);
        } catch (AssertionError failure) {
            throw new AssertionError(
                    "of " + clients + " closed clients threads are left, by the names of "
                            + left(before).stream()
                                    .map(Thread::getName)
                                    .distinct()
                                    .toList(),
                    failure);
        }
    }

    /** A client that holds, waits and lets its lease be renewed. */
    private static void openUseAndClose(Scene scene, String who) throws Exception {
        LockClient client = scene.client(who);
        Lease lease =
                present(client.lock(scene.lock(who), scene.lastingOptions(who)).tryAcquire());
        try {
            client.lock(scene.lock("busy"))
                    .tryAcquire(scene.tolerance().dividedBy(5))
                    .ifPresent(Lease::release);
        } catch (LockStoreException unanswered) {
            // A store that is slow at the moment: what the client leaves behind is the same.
        }
        that(lease.release(), "the lease must have been held");
        client.close();
    }

    private static List<Thread> left(Set<Thread> before) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.isAlive() && !before.contains(thread))
                .filter(thread -> !thread.getName().startsWith("tck "))
                .toList();
    }

    @Rule(
            says = "Closing a client releases all its leases and ends its waiters; afterwards it refuses to work.",
            because = "What a closed client still holds, nobody can release.")
    default void e8_closingReleasesEverything(Scene scene) throws Exception {
        LockClient client = scene.client("A");
        String busy = scene.lock("busy");
        granted(scene.lasting("B", busy));
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            leases.add(present(client.lock(scene.lock("lock-" + i)).tryAcquire()));
        }
        BackgroundTask<Lease> waiting = scene.start("A", client.lock(busy)::acquire);
        scene.await("A has asked for all", () -> scene.history().tries("A") > 5);
        client.close();
        client.close();
        thrown(LockClosedException.class, () -> waiting.get(scene.limit()), "a waiter of a closed client must end");
        that(leases.stream().noneMatch(Lease::isHeld), "a closed client holds nothing");
        for (int i = 0; i < 5; i++) {
            free(scene, scene.lock("lock-" + i));
        }
        thrown(LockClosedException.class, () -> client.lock(busy).tryAcquire(), "a closed client must refuse to work");
    }

    @Rule(
            says = "Two clients in one JVM never share an identity, also with equal labels and on one thread.",
            because = "Two parts of one application exclude each other like strangers.")
    default void e9_twoClientsAreStrangers(Scene scene) {
        LockOptions same = scene.lastingOptions("same");
        DistributedReentrantLock mine = scene.lockOf("A", same).asLock();
        DistributedReentrantLock yours = scene.lockOf("B", same).asLock();
        mine.lock();
        that(!yours.tryLock(), "re-entry ends at the client");
        thrown(IllegalMonitorStateException.class, yours::unlock, "the other client's lock cannot be released");
        taken(scene);
        mine.unlock();
        free(scene);
    }

    @Rule(
            says = "A lease that was dropped without being released ends by itself.",
            because = "A bug in one place must not lock a name until the process ends.")
    default void e10_aDroppedLeaseEnds(Scene scene) throws InterruptedException {
        Set<LossCause> causes = ConcurrentHashMap.newKeySet();
        LockListener losses = new LockListener() {
            @Override
            public void lost(LockEvent event, Loss loss) {
                causes.add(loss.cause());
            }
        };
        DistributedLock dropping = scene.client("A", scene.open(), builder -> builder.listener(losses))
                .lock(scene.lock());
        DistributedLock lock = scene.lockOf("B");
        present(dropping.tryAcquire());
        AtomicLong collected = new AtomicLong(System.nanoTime());
        scene.await("the lease of an unreachable handle ends, and the cause is told", () -> {
            if (System.nanoTime() - collected.get() > 50_000_000L) {
                StallMeter.standStill(System::gc);
                collected.set(System.nanoTime());
            }
            Optional<Lease> lease = lock.tryAcquire();
            lease.ifPresent(Lease::release);
            if (lease.isPresent() && !causes.contains(LossCause.ABANDONED)) {
                // The machine may have stood still for a lease, which ends one too: drop another.
                dropping.tryAcquire();
            }
            return lease.isPresent() && causes.contains(LossCause.ABANDONED);
        });
    }
}
