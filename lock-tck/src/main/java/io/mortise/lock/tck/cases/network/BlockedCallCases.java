// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.network;

import static io.mortise.lock.tck.scene.Expect.answered;
import static io.mortise.lock.tck.scene.Expect.between;
import static io.mortise.lock.tck.scene.Expect.free;
import static io.mortise.lock.tck.scene.Expect.freeWithin;
import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.present;
import static io.mortise.lock.tck.scene.Expect.refused;
import static io.mortise.lock.tck.scene.Expect.that;
import static io.mortise.lock.tck.scene.Expect.thrown;
import static io.mortise.lock.tck.scene.Expect.time;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockReleaseException;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.fault.Route;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.scene.Expect;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Cases with calls that block in the backend's own driver, because the store hangs or the client is cut off from it: each keeps its
 * own time, holds up no other, and its end is told as it is.
 */
public interface BlockedCallCases {
    /** More than a pool of connections usually has. */
    int CALLS = 16;

    @Rule(
            says =
                    "When the store hangs, each of many calls of a client ends in its own time, however long others may wait.",
            because = "One call that blocks all others stops the renewals of a whole process; and who waits first for a"
                    + " connection and then for an answer waits twice as long.")
    default void c2_eachOfManyBlockedCallsHasItsOwnTime(Scene scene) throws Exception {
        LockBackend client = scene.backend("A");
        RecordingClaim holder = granted(scene.lasting("A", scene.lock("held")));
        RecordingClaim released = granted(scene.lasting("A", scene.lock("released")));
        Duration brief = scene.brief();
        Duration patient = brief.multipliedBy(3);
        List<BackgroundTask<Duration>> patients = new ArrayList<>();
        scene.faults().pauseStore();
        for (int i = 0; i < CALLS; i++) {
            RecordingClaim claim = scene.claim(client, scene.request(scene.lock("lock-" + i), "A"));
            patients.add(blocked(scene, "patient " + i, () -> claim.tryAcquire(patient)));
        }
        scene.await("all ask", () -> scene.history().questions("A") >= CALLS + 2);
        RecordingClaim last = scene.claim("A");
        List<BackgroundTask<Duration>> briefs = List.of(
                blocked(scene, "try", () -> last.tryAcquire(brief)),
                blocked(scene, "renewal", () -> holder.renew(holder.request().lease(), brief)),
                blocked(scene, "release", () -> released.release(brief)));
        for (BackgroundTask<Duration> call : briefs) {
            between("a call beside others", call.get(scene.limit()), Duration.ZERO, brief.plus(scene.tolerance()));
        }
        for (BackgroundTask<Duration> call : patients) {
            between("one of many calls", call.get(scene.limit()), Duration.ZERO, patient.plus(scene.tolerance()));
        }
        scene.faults().resumeStore();
        that(answered(scene, holder::renew), "a holder whose renewal was not answered still holds");
        answered(scene, released::release);
        freeWithin(scene, scene.lock("released"), scene.tolerance());
    }

    @Rule(
            says =
                    "A client that is cut off from the store holds up no other client of its JVM, however many of its calls block.",
            because = "Two clients share nothing but the store: one that cannot reach it must not stop one that can.")
    default void e9_aClientThatIsCutOffHoldsUpNoOther(Scene scene) throws Exception {
        Route route = scene.faults().route();
        LockBackend far = scene.recorded("A", scene.open(route.store()));
        scene.backend("B");
        List<RecordingClaim> blocked = IntStream.range(0, CALLS)
                .mapToObj(i -> scene.claim(far, scene.request(scene.lock("lock-" + i), "A")))
                .toList();
        RecordingClaim first = scene.claim(far, scene.request(scene.lock("first"), "A"));
        answered(scene, first::tryAcquire);
        answered(scene, first::release);
        RecordingClaim holder = granted(scene.lasting("B"));
        route.cut().run();
        long before = scene.history().questions("A");
        // Longer than an answer may take, so that whoever waits for one of these calls is seen to wait.
        Duration patient = scene.tolerance().multipliedBy(3);
        List<BackgroundTask<Duration>> calls = new ArrayList<>();
        for (RecordingClaim claim : blocked) {
            calls.add(blocked(scene, "A", () -> claim.tryAcquire(patient)));
        }
        scene.await("all of A ask", () -> scene.history().questions("A") >= before + CALLS);
        RecordingClaim other = scene.claim("B", scene.lock("other"));
        promptly(scene, "a renewal", () -> that(holder.renew(), "the holder must be able to renew"));
        promptly(scene, "a try", () -> granted(other));
        promptly(scene, "a release of what was tried", other::release);
        promptly(scene, "a release", () -> that(holder.release(), "the holder must have held"));
        for (BackgroundTask<Duration> call : calls) {
            call.get(scene.limit());
        }
        route.heal().run();
    }

    @Rule(
            says = "No call of a backend swallows an interrupt, whether the store answers or hangs.",
            because = "An interrupt that is swallowed is a shutdown that hangs.")
    default void d4_noCallSwallowsAnInterrupt(Scene scene) throws Exception {
        RecordingClaim holder = granted(scene.lasting("A"));
        RecordingClaim other = scene.claim("A", scene.lock("other"));
        RecordingClaim late = scene.claim("A", scene.lock("late"));
        RecordingClaim leaving = granted(scene.lasting("A", scene.lock("leaving")));
        keepsTheFlag("a try", () -> other.tryAcquire(scene.callLimit()));
        keepsTheFlag("a renewal", () -> holder.renew(holder.request().lease(), scene.callLimit()));
        keepsTheFlag("a look", () -> scene.backend("A").inspect(scene.lock(), scene.callLimit()));
        keepsTheFlag("a release", () -> other.release(scene.callLimit()));
        scene.faults().pauseStore();
        List<BackgroundTask<Boolean>> calls = List.of(
                scene.start("A", () -> keepsTheFlag("a try", () -> late.tryAcquire(scene.brief()))),
                scene.start(
                        "A",
                        () -> keepsTheFlag(
                                "a renewal", () -> holder.renew(holder.request().lease(), scene.brief()))),
                scene.start("A", () -> keepsTheFlag("a release", () -> leaving.release(scene.brief()))));
        for (BackgroundTask<Boolean> call : calls) {
            that(!call.get(scene.limit()), "a store that hangs answers nothing, whoever is interrupted");
        }
        scene.faults().resumeStore();
        that(answered(scene, holder::renew), "an interrupted holder still holds");
    }

    @Rule(
            says = "An interrupt ends a wait at a store that hangs, and leaves nothing in it once it is back.",
            because =
                    "Whoever shuts down while the store is down must neither wait for it nor take a lock from the rest.")
    default void d2_anInterruptEndsAWaitAtAHangingStore(Scene scene) throws Exception {
        DistributedLock lock = scene.client("A", scene.open(), builder -> builder.callTimeout(scene.brief()))
                .lock(scene.lock());
        present(lock.tryAcquire()).release();
        scene.faults().pauseStore();
        long before = scene.history().questions("A");
        BackgroundTask<Boolean> waiting = scene.start("A", () -> endsInterrupted(lock));
        scene.await("A asks the store", () -> scene.history().questions("A") > before);
        waiting.thread().interrupt();
        // A driver that cannot be interrupted is given up, and what was asked for is given back in one more call.
        Duration most = scene.brief().multipliedBy(2).plus(scene.tolerance());
        that(waiting.get(most), "the silence of the store was told, and the interrupt was swallowed");
        scene.faults().resumeStore();
        freeWithin(scene, scene.afterLease());
    }

    @Rule(
            says =
                    "A store that hangs tells nobody that a lock is free, that there are no locks, or that nothing was revoked.",
            because = "An operator who is told that nobody holds a lock takes it away from somebody.")
    default void c7_silenceIsNoAnswerForOperators(Scene scene) throws Exception {
        LockBackend backend = scene.inspectable("A");
        granted(scene.lasting("B"));
        Duration brief = scene.brief();
        scene.faults().pauseStore();
        List<BackgroundTask<Duration>> asked = new ArrayList<>();
        asked.add(truthful(
                scene, "inspect", () -> backend.inspect(scene.lock(), brief).isPresent()));
        if (backend.features().contains(Feature.LISTABLE)) {
            asked.add(truthful(scene, "list", () -> !backend.list(scene.lock(""), "", 10, brief)
                    .isEmpty()));
        }
        if (backend.features().contains(Feature.REVOCABLE)) {
            asked.add(truthful(scene, "revoke", () -> backend.revoke(scene.lock(), "a test", false, brief)));
        }
        for (BackgroundTask<Duration> question : asked) {
            between("a question", question.get(scene.limit()), Duration.ZERO, brief.plus(scene.tolerance()));
        }
        scene.faults().resumeStore();
    }

    @Rule(
            says =
                    "Releases at a store that hangs fail in time, each with a typed exception, let the next threads go on,"
                            + " and free their locks once the store is back.",
            because = "A store that is down for a moment must not wedge a JVM, however many of its threads release.")
    default void e5_releasesAtAHangingStoreWedgeNobody(Scene scene) throws Exception {
        LockClient client = scene.client("A", scene.open(), builder -> builder.callTimeout(scene.brief()));
        List<DistributedLock> locks = IntStream.range(0, 4)
                .mapToObj(i -> client.lock(scene.lock("lock-" + i)))
                .toList();
        List<Lease> leases = new ArrayList<>();
        for (DistributedLock lock : locks) {
            leases.add(present(lock.tryAcquire()));
        }
        scene.faults().pauseStore();
        List<BackgroundTask<Duration>> releases = leases.stream()
                .map(lease -> scene.start(
                        "release",
                        () -> time(() -> thrown(
                                LockReleaseException.class, lease::release, "an unanswered release must say so"))))
                .toList();
        for (BackgroundTask<Duration> release : releases) {
            between(
                    "a release",
                    release.get(scene.limit()),
                    Duration.ZERO,
                    scene.brief().plus(scene.tolerance()));
        }
        List<BackgroundTask<Lease>> next =
                locks.stream().map(lock -> scene.start("next", lock::acquire)).toList();
        scene.faults().resumeStore();
        for (BackgroundTask<Lease> taking : next) {
            that(taking.get(scene.afterLease()).release(), "the next thread must have held");
        }
    }

    @Rule(
            says =
                    "After a release whose outcome is not known, the same thread's next lock is a new acquisition: it is exclusive,"
                            + " and what the old claim still says or does concerns the old one only.",
            because = "A client that thinks that it holds what it could not release enters without asking the store.")
    default void e6_afterAnUnclearReleaseALockIsANewOne(Scene scene) throws Exception {
        LockClient client = scene.client("A", scene.open(), builder -> builder.callTimeout(scene.brief()));
        DistributedLock lock = client.lock(scene.lock(), scene.options("A"));
        RecordingClaim stranger = scene.claim("B", scene.lock("beside"));
        RecordingClaim old = granted(scene.claim("C", scene.lock("beside"), scene.leases(20)));
        Lease first = present(lock.tryAcquire());
        scene.faults().pauseStore();
        thrown(LockReleaseException.class, first::release, "an unanswered release must say so");
        thrown(BackendException.class, () -> old.release(scene.brief()), "an unanswered release must say so");
        scene.faults().resumeStore();

        RecordingClaim again = scene.claim("C", scene.lock("beside"), scene.leases(20));
        if (!answered(scene, again::tryAcquire)) {
            answered(scene, old::release);
            scene.await("the lock is free after its release", scene.tolerance(), again::tryAcquire);
        }
        answered(scene, old::release);
        refused(stranger);
        that(again.release(), "the new claim must have held until its release, whatever the old one does");
        Lease second = present(lock.tryAcquire(scene.afterLease()));
        that(!first.isHeld(), "a lease whose release was not answered is not held any more");
        scene.pass(scene.leases(1.2));
        refused(scene.claim("B"));
        that(second.release(), "the second lease must have been held until its release");
        free(scene);
    }

    @Rule(
            says =
                    "When the store hangs for less than a lease, none of many leases is lost, and all are renewed afterwards.",
            because = "Renewals that block one after the other make one short pause the end of all leases.")
    default void g2_aShortPauseOfTheStoreLosesNoLease(Scene scene) throws Exception {
        LockClient client = scene.client("A");
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            leases.add(present(client.lock(scene.lock("lock-" + i)).tryAcquire()));
        }
        scene.within(scene.leases(0.8).plus(scene.tolerance()), () -> {
            scene.faults().pauseStore();
            try {
                scene.pass(scene.leases(0.4));
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            scene.faults().resumeStore();
        });
        scene.pass(scene.leases(1.2));
        long lost = leases.stream().filter(lease -> !lease.isHeld()).count();
        that(lost == 0, lost + " of " + leases.size() + " leases were lost in a pause of less than half a lease");
        for (Lease lease : leases) {
            that(lease.release(), "each lease must have been held until its release");
        }
    }

    /** Whether an interrupt ends the call, or is kept if the silence of the store ends it first. */
    private static boolean endsInterrupted(DistributedLock lock) {
        try {
            lock.acquire();
            throw new AssertionError("the store hangs, and has granted the lock");
        } catch (InterruptedException interrupted) {
            return true;
        } catch (LockStoreException silence) {
            return Thread.currentThread().isInterrupted();
        }
    }

    private static BackgroundTask<Duration> blocked(Scene scene, String what, Expect.Action question) {
        return scene.start(
                what,
                () -> time(() -> thrown(RuntimeException.class, question, what + " at a store that hangs must throw")));
    }

    private static void promptly(Scene scene, String what, Expect.Action call) throws Exception {
        between(what + " of another client", time(call), Duration.ZERO, scene.tolerance());
    }

    /** Tells what is so, as a store may that still reads, or throws. */
    private static BackgroundTask<Duration> truthful(Scene scene, String what, BooleanSupplier question) {
        return scene.start(
                what,
                () -> time(() -> {
                    try {
                        that(question.getAsBoolean(), what + " said no, but the lock is held");
                    } catch (BackendException unanswered) {
                        // Silence is told as silence.
                    }
                }));
    }

    /** True if the call was answered. An exception for the interrupt stands for its flag. */
    private static boolean keepsTheFlag(String what, Expect.Action call) throws Exception {
        Thread.currentThread().interrupt();
        boolean answered = false;
        boolean told = false;
        try {
            call.run();
            answered = true;
        } catch (InterruptedException interrupted) {
            told = true;
        } catch (BackendException | UnsupportedOperationException unanswered) {
            // The flag counts.
        }
        boolean flag = Thread.interrupted();
        that(flag || told, what + " of an interrupted thread has swallowed the interrupt");
        return answered;
    }
}
