// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.lease;

import static io.mortise.lock.tck.scene.Expect.free;
import static io.mortise.lock.tck.scene.Expect.freeWithin;
import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.present;
import static io.mortise.lock.tck.scene.Expect.safe;
import static io.mortise.lock.tck.scene.Expect.taken;
import static io.mortise.lock.tck.scene.Expect.that;
import static io.mortise.lock.tck.scene.Expect.thrown;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.DistributedReentrantLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import io.mortise.lock.tck.scene.ThrowingBackend;
import io.mortise.lock.testing.LossyBackend;
import io.mortise.lock.testing.LossyBackend.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.opentest4j.TestAbortedException;

/** Cases about renewal: a living holder keeps its lock, and one that has released it does not. */
public interface RenewalCases {
    @Rule(
            says = "A lock that is held for five leases is exclusive all the time.",
            because = "Work takes longer than anybody expected.")
    default void g1_heldForFiveLeases(Scene scene) throws InterruptedException {
        Lease lease = present(scene.lockOf("A").tryAcquire());
        for (int i = 0; i < 50; i++) {
            scene.pass(scene.leases(0.1));
            taken(scene);
        }
        that(lease.isHeld(), "the lease must still be held");
        that(lease.release(), "the lease must have been held until its release");
        free(scene);
    }

    @Rule(
            says = "Renewals that fail for less than a lease lose nothing: the lock is kept, and renewal goes on.",
            because = "One lost packet must not end an hour's work.")
    default void g2_someFailedRenewalsLoseNothing(Scene scene) throws InterruptedException {
        LossyBackend network = scene.lossy();
        Lease lease = present(scene.client("A", network).lock(scene.lock()).tryAcquire());
        for (int failures = 1; failures <= 2; failures++) {
            for (int i = 0; i < failures; i++) {
                network.loseNextRequest(Operation.RENEW);
            }
            long before = network.calls(Operation.RENEW);
            int wanted = failures + 2;
            scene.await("renewal goes on", () -> !lease.isHeld() || network.calls(Operation.RENEW) >= before + wanted);
            lease.ensureHeld();
        }
        taken(scene);
        that(lease.release(), "the lease must have been held until its release");
    }

    @Rule(
            says = "A renewal that throws anything at all stops neither its own nor other renewals.",
            because = "One bad lock must not take down all locks of a process.")
    default void g3_aThrowingRenewalStopsNothing(Scene scene) throws InterruptedException {
        String bad = scene.lock("bad");
        ThrowingBackend stumbling = new ThrowingBackend(scene.open(), bad);
        LockClient client = scene.client("A", stumbling);
        Lease badLease = present(client.lock(bad).tryAcquire());
        Lease goodLease = present(client.lock(scene.lock("good")).tryAcquire());
        List<Runnable> mistakes = List.of(
                () -> {
                    throw new IllegalStateException("a bug in the driver");
                },
                () -> {
                    throw new NoClassDefFoundError("half of the driver");
                });
        for (Runnable mistake : mistakes) {
            stumbling.planThrowing(mistake);
            scene.await("a renewal has thrown", () -> !badLease.isHeld() || stumbling.hasThrown());
            stumbling.planThrowingForAll(mistake);
            scene.await("a batch has thrown", () -> !badLease.isHeld() || stumbling.hasThrown());
        }
        scene.pass(scene.leases(1.2));
        that(badLease.release(), "a lease whose renewals stumbled must be kept");
        that(goodLease.release(), "the lease beside it must be kept");
    }

    @Rule(
            says = "After a release nothing renews the lock, whenever the release comes.",
            because = "A renewal that comes after the release holds a lock that nobody has.")
    default void g4_nothingRenewsAfterARelease(Scene scene) throws InterruptedException {
        LossyBackend network = scene.lossy();
        LockClient client = scene.client("A", network);
        for (int i = 0; i < 5; i++) {
            String lock = scene.lock("lock-" + i);
            network.delayNextReply(Operation.RENEW, scene.leases(0.04));
            Lease lease = present(client.lock(lock).tryAcquire());
            scene.pass(scene.leases(0.28 + 0.03 * i));
            that(lease.release(), "the lease must have been held until its release");
            free(scene, lock);
            scene.pass(scene.leases(0.05));
            free(scene, lock);
        }
        nothingIsRenewed(scene, "for locks that had been released");
        scene.history().noneAfterRelease("A");
    }

    @Rule(
            says = "A renewal by an old claim does not touch a new claim of the same client and name.",
            because = "A timer of yesterday's hold keeps today's alive, or thinks that it does.")
    default void g5_anOldClaimDoesNotRenewANewOne(Scene scene) throws InterruptedException {
        RecordingClaim old = granted(scene.claim("A"));
        that(old.release(), "the holder must have held");
        granted(scene.claim("A"));
        long start = System.nanoTime();
        while (System.nanoTime() - start < scene.lease().toNanos() * 9 / 10) {
            safe(!old.renew(), "a released claim must not be renewed");
            scene.pass(scene.leases(0.1));
        }
        freeWithin(scene, scene.latestEnd(scene.leases(0.5)));
    }

    @Rule(
            says = "After as many unlocks as locks nothing is renewed any more.",
            because = "A renewal for each entry outlives the first exit.")
    default void g6_nestedLocksLeaveNoRenewal(Scene scene) throws InterruptedException {
        DistributedReentrantLock view = scene.lockOf("A").asLock();
        for (int i = 0; i < 3; i++) {
            view.lock();
        }
        scene.await("the lock is renewed", () -> scene.history().renewals("A") > 0);
        for (int i = 0; i < 3; i++) {
            view.unlock();
        }
        free(scene);
        nothingIsRenewed(scene, "for a lock that had been released");
    }

    @Rule(
            says = "Two hundred locks of one client are all renewed in time, also when one renewal is slow.",
            because = "Renewing one after the other is too slow for those at the end.")
    default void g7_manyLocksAreRenewedInTime(Scene scene) throws InterruptedException {
        LockClient client = scene.client("A");
        List<Lease> leases = new ArrayList<>();
        LockOptions twice = scene.options("A").withLease(scene.honoured(scene.leases(2)));
        for (int i = 0; i < scene.times(200, 20); i++) {
            leases.add(present(client.lock(scene.lock("lock-" + i), twice).tryAcquire()));
        }
        scene.pass(scene.leases(2.4));
        long lost = leases.stream().filter(lease -> !lease.isHeld()).count();
        that(lost == 0, lost + " of " + leases.size() + " leases were lost");
        leases.forEach(Lease::release);
    }

    @Rule(
            says = "A renewal whose reply was lost can be repeated.",
            because = "A store that compares a version that has moved on refuses the rightful holder.")
    default void g9_aRenewalWithALostReplyCanBeRepeated(Scene scene) throws InterruptedException {
        LossyBackend network = scene.lossy();
        RecordingClaim claim =
                granted(scene.claim(scene.recorded("A", network), scene.lastingRequest(scene.lock(), "A")));
        for (int i = 0; i < 2; i++) {
            network.loseNextReply(Operation.RENEW);
            thrown(RuntimeException.class, claim::renew, "the reply was lost");
            that(claim.renew(), "the holder must be able to renew after a lost reply");
        }
        that(claim.release(), "the holder must have held");
    }

    @Rule(
            says = "A closed client renews nothing.",
            because = "Threads that outlive their client keep its locks forever.")
    default void g11_aClosedClientRenewsNothing(Scene scene) throws InterruptedException {
        LockClient client = scene.client("A");
        Lease lease = present(client.lock(scene.lock()).tryAcquire());
        scene.await("the lock is renewed", () -> scene.history().renewals("A") > 0);
        client.close();
        that(!lease.isHeld(), "a closed client holds nothing");
        nothingIsRenewed(scene, "by a closed client");
        free(scene);
    }

    @Rule(
            says = "A lease that is renewed to a longer one lasts for that, whatever the claim asked for at first.",
            because = "The holder counts on the length that it was told yes to.")
    default void g13_aRenewalSetsALongerLease(Scene scene) throws InterruptedException {
        Duration longer = scene.leases(3);
        scene.needs(longer);
        RecordingClaim holder = granted(scene.claim("A"));
        long asked = System.nanoTime();
        that(holder.renew(longer), "the holder must be able to renew");
        endsAfter(scene, holder, longer, asked);
    }

    @Rule(
            says = "A lease that is renewed to a shorter one ends after that, and not before.",
            because = "A lock that its holder wants to keep for another second is kept for the rest of an hour.")
    default void g13_aRenewalSetsAShorterLease(Scene scene) throws InterruptedException {
        RecordingClaim holder = granted(scene.lasting("A"));
        long asked = System.nanoTime();
        that(holder.renew(scene.lease()), "the holder must be able to renew");
        endsAfter(scene, holder, scene.lease(), asked);
    }

    @Rule(
            says = "Of claims that are renewed together each gets the lease that was asked for it.",
            because = "A batch with one length for all ends some leases early and keeps others too long.")
    default void g13_renewedTogetherEachGetsItsOwnLease(Scene scene) throws InterruptedException {
        Duration longer = scene.leases(3);
        scene.needs(longer);
        RecordingClaim kept = granted(scene.lasting("A", scene.lock("kept")));
        RecordingClaim shortened = granted(scene.lasting("A", scene.lock("shortened")));
        RecordingClaim lengthened = granted(scene.claim("A", scene.lock("lengthened")));
        List<Renewal> renewals = List.of(
                new Renewal(kept, kept.request().lease()),
                new Renewal(shortened, scene.lease()),
                new Renewal(lengthened, longer));
        long asked = System.nanoTime();
        List<Answer> answers = scene.backend("A").renewAll(renewals, scene.limit());
        that(answers.equals(List.of(Answer.YES, Answer.YES, Answer.YES)), "all must be renewed, not " + answers);
        endsAfter(scene, shortened, scene.lease(), asked);
        endsAfter(scene, lengthened, longer, asked);
        that(
                kept.release() || !scene.backend("A").leaseBounds().outlivesHolder(),
                "the lease of " + kept.request().lease() + " must not have ended");
    }

    /** Others get the lock after the lease. Where sessions end locks, the store may keep the length of the grant. */
    private static void endsAfter(Scene scene, RecordingClaim holder, Duration lease, long asked)
            throws InterruptedException {
        boolean exact = scene.backend("A").leaseBounds().outlivesHolder();
        Duration least = lease.minus(holder.leaseSpent());
        Duration most = exact ? scene.latestEnd(lease) : scene.limit();
        RecordingClaim next = scene.claim("B", holder.request().lock());
        Duration before = Duration.ofNanos(System.nanoTime() - asked);
        String what = "the lock is free after the renewed lease of " + lease.toMillis() + " ms";
        scene.await(what, most.minus(before), next::tryAcquire);
        Duration took = Duration.ofNanos(System.nanoTime() - asked);
        safe(
                took.compareTo(least) >= 0,
                "the renewed lease of " + least.toMillis() + " ms has ended after " + took.toMillis() + " ms");
    }

    @Rule(
            says = "A lease that its holder makes longer lasts so long in the store, too, without further renewals.",
            because = "Holders extend a lease because renewals may fail for a while.")
    default void g14_anExtendedLeaseLastsWithoutRenewals(Scene scene) throws InterruptedException {
        scene.needs(scene.leases(3));
        if (!scene.backend("B").leaseBounds().outlivesHolder()) {
            throw new TestAbortedException("skipped: in this store sessions end locks, whatever their leases");
        }
        DistributedLock lock = scene.lockOf("A", scene.options("A").withRenewal(false));
        Lease lease = present(lock.tryAcquire());
        Duration told = lease.extend(scene.leases(3));
        that(told.compareTo(scene.leases(3)) <= 0, "of three leases " + told + " cannot be left");
        that(told.compareTo(scene.lease()) > 0, "the lease must be longer, not " + told);
        RecordingClaim next = scene.claim("B");
        scene.await("the lock is free after the longer lease", () -> {
            // In this order: a lease that is held after the grant was held at the grant.
            boolean granted = next.tryAcquire();
            safe(!granted || !lease.isHeld(), "the lock was granted to another before the longer lease had ended");
            return granted;
        });
    }

    private static void nothingIsRenewed(Scene scene, String otherwise) throws InterruptedException {
        long before = scene.history().renewals("A");
        scene.pass(scene.leases(1));
        long more = scene.history().renewals("A") - before;
        that(more == 0, more + " renewals were sent " + otherwise);
    }
}
