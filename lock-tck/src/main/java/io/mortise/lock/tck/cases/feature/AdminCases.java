// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.feature;

import static io.mortise.lock.tck.scene.Expect.free;
import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.present;
import static io.mortise.lock.tck.scene.Expect.refused;
import static io.mortise.lock.tck.scene.Expect.risen;
import static io.mortise.lock.tck.scene.Expect.safe;
import static io.mortise.lock.tck.scene.Expect.taken;
import static io.mortise.lock.tck.scene.Expect.that;
import static io.mortise.lock.tck.scene.Expect.thrown;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockHolder;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Cases about the calls of operators, which inspect, list and revoke locks. */
public interface AdminCases {
    @Rule(
            says = "Inspecting tells who holds a lock, since when, for how long and with which token, and no secret.",
            because = "People decide by it whether a holder is alive; whoever learns the owner can release the lock.")
    default void r1_inspectTellsTheHolder(Scene scene) {
        String lock = scene.lock();
        LockBackend backend = scene.inspectable("B");
        that(backend.inspect(lock, scene.callLimit()).isEmpty(), "nobody holds the lock yet");
        RecordingClaim claim = granted(scene.claim(scene.backend("A"), scene.lastingRequest(lock, "night job")));
        LockHolder holder = backend.inspect(lock, scene.callLimit())
                .orElseThrow(() -> new AssertionError("inspect must find the holder"));
        that(holder.lock().equals(lock), "the name must be the one that was asked for");
        that(holder.label().equals("night job"), "the label must be the holder's, not " + holder.label());
        long token = holder.fencingToken();
        that(token == claim.fencingToken(), "the token must be the holder's, not " + token);
        if (backend.features().contains(Feature.FENCED)) {
            that(claim.raiseToken(token + 1_000, scene.callLimit()), "the holder must be able to raise");
            token = backend.inspect(lock, scene.callLimit()).orElseThrow().fencingToken();
            that(token == claim.fencingToken(), "the token must be the holder's, and not what it has raised, " + token);
        }
        that(!holder.heldFor().isNegative(), "a lock cannot be held since the future");
        Duration most = claim.request().lease().plusSeconds(2);
        holder.remaining()
                .ifPresent(rest -> that(
                        !rest.isNegative() && rest.compareTo(most) <= 0,
                        "the rest of the lease must lie between 0 and " + most + ", not " + rest));
        that(!holder.toString().contains(claim.request().owner()), "the owner is a secret");
        that(claim.release(), "the holder must have held");
        that(backend.inspect(lock, scene.callLimit()).isEmpty(), "nobody holds the lock any more");
    }

    @Rule(
            says =
                    "Inspecting tells for how long the lock was held since its grant, and not since a renewal or since its holder"
                            + " began to wait.",
            because =
                    "A job that has run for a day looks as if it had just begun, or one that has just begun as if it hung.")
    default void r1_heldForIsCountedFromTheGrant(Scene scene) throws InterruptedException {
        String lock = scene.lock();
        LockBackend backend = scene.inspectable("B");
        Duration coarse = HolderCases.coarse(backend);
        RecordingClaim first = granted(scene.lasting("A"));
        RecordingClaim waiter = scene.claim(scene.backend("C"), scene.waitingRequest("C"));
        refused(waiter);
        long granted = System.nanoTime();
        scene.pass(coarse.multipliedBy(3));
        that(first.renew(), "the holder must be able to renew");
        Duration least = Duration.ofNanos(System.nanoTime() - granted).minus(coarse);
        Duration held = backend.inspect(lock, scene.callLimit()).orElseThrow().heldFor();
        that(held.compareTo(least) >= 0, "the lock was held for " + least + " at least, not for " + held);

        that(first.release(), "the holder must have held");
        long asked = System.nanoTime();
        scene.await("the waiter is granted the lock", waiter::tryAcquire);
        held = backend.inspect(lock, scene.callLimit()).orElseThrow().heldFor();
        Duration most = Duration.ofNanos(System.nanoTime() - asked).plus(coarse);
        that(held.compareTo(most) <= 0, "the lock was held for " + most + " at most, not for " + held);
    }

    @Rule(
            says = "Inspecting tells what is left of the lease since the last renewal, or nothing.",
            because = "People wait for the end of a lease that was made shorter long ago.")
    default void r1_theRestIsThatOfTheRenewedLease(Scene scene) {
        LockBackend backend = scene.inspectable("B");
        RecordingClaim claim = granted(scene.lasting("A"));
        that(claim.renew(scene.lease()), "the holder must be able to renew");
        Duration most = scene.lease().plusSeconds(2);
        backend.inspect(scene.lock(), scene.callLimit())
                .flatMap(LockHolder::remaining)
                .ifPresent(rest -> that(
                        rest.compareTo(most) <= 0,
                        "the lease was renewed to " + scene.lease() + ", and " + rest + " cannot be left of it"));
    }

    @Rule(
            says = "Inspecting and listing change nothing: the lease ends when it would have ended.",
            because = "A dashboard must not keep a dead holder's lock alive.")
    default void r2_lookingChangesNothing(Scene scene) throws InterruptedException {
        String lock = scene.lock();
        LockBackend backend = scene.inspectable("B");
        boolean lists = backend.features().contains(Feature.LISTABLE);
        granted(scene.claim("A"));
        scene.await("the holder is gone from the inspection when its lease has ended", () -> {
            that(
                    !lists || backend.list(lock, "", 10, scene.callLimit()).size() <= 1,
                    "one lock cannot be listed twice");
            return backend.inspect(lock, scene.callLimit()).isEmpty();
        });
        that(
                !lists || backend.list(lock, "", 10, scene.callLimit()).isEmpty(),
                "the list must not show an ended lease");
        free(scene);
    }

    @Rule(
            says =
                    "After a revocation renewals and repeated tries of the holder are refused with the reason, and the lock"
                            + " is free when the current lease ends, not before.",
            because = "Taking a lock away must not make two holders.",
            needs = Feature.REVOCABLE)
    default void r3_revokingWaitsForTheLease(Scene scene) throws InterruptedException {
        // Connected before the lease begins, which may be shorter than that takes.
        LockBackend operator = scene.backend("C");
        RecordingClaim next = scene.claim("B");
        RecordingClaim victim = granted(scene.claim("A"));
        that(operator.revoke(scene.lock(), "stuck since noon", false, scene.callLimit()), "somebody held the lock");
        that(!next.tryAcquire(), "the lease of a revoked holder still counts");
        that(!victim.renew(), "a revoked holder must not be able to renew");
        Loss loss = victim.loss();
        that(loss.cause() == LossCause.REVOKED, "the loss must be REVOKED, not " + loss);
        that(loss.detail().contains("stuck since noon"), "the loss must carry the reason, not only " + loss);
        scene.await("the lock is free after the revoked lease", next::tryAcquire);
        that(!victim.release(), "a revoked holder whose lease has ended does not hold the lock");
        taken(scene);
    }

    @Rule(
            says = "A revocation with the flag frees the lock at once, and the next token is greater.",
            because = "The operator says that the holder is dead; the token keeps it out if it is not.",
            needs = Feature.REVOCABLE)
    default void r3_revokingNowFreesAtOnce(Scene scene) {
        RecordingClaim victim = granted(scene.lasting("A"));
        that(scene.backend("C").revoke(scene.lock(), "dead", true, scene.callLimit()), "somebody held the lock");
        RecordingClaim next = granted(scene.lasting("B"));
        that(!victim.renew(), "a revoked holder must not be able to renew");
        that(!victim.release(), "a revoked holder must not release the lock of the next");
        taken(scene);
        risen(victim, next);
    }

    @Rule(
            says = "A claim whose release is refused because the lock was revoked tells that, and why.",
            because = "Its holder learns of the revocation when it is done, and has to undo what it did since.",
            needs = Feature.REVOCABLE)
    default void r3_aRefusedReleaseTellsOfTheRevocation(Scene scene) {
        RecordingClaim victim = granted(scene.lasting("A"));
        that(
                scene.backend("C").revoke(scene.lock(), "its host is gone", true, scene.callLimit()),
                "somebody held the lock");
        that(!victim.release(), "a lock that was freed at once is not held any more");
        Loss loss = victim.loss();
        that(
                loss.cause() == LossCause.REVOKED && loss.detail().contains("its host is gone"),
                "the loss must be REVOKED, with the reason, not " + loss);
    }

    @Rule(
            says =
                    "Nobody else gets the lock before the lease of a revoked holder has ended; and the holder's claim does not say"
                            + " after that that it still holds.",
            because = "A holder that is told that it has the rest of its lease to stop in uses it.",
            needs = Feature.REVOCABLE)
    default void r6_aRevokedHolderHasTheRestOfItsLease(Scene scene) throws InterruptedException {
        RecordingClaim next = scene.claim("B");
        long asked = System.nanoTime();
        RecordingClaim victim = granted(scene.claim("A"));
        that(scene.backend("C").revoke(scene.lock(), "make room", false, scene.callLimit()), "somebody held the lock");
        scene.pass(scene.leases(0.6));
        that(!victim.renew(), "a revoked holder must not be able to renew");
        scene.await("the lock is free after the revoked lease", next::tryAcquire);
        Duration took = Duration.ofNanos(System.nanoTime() - asked);
        Duration least = scene.lease().minus(victim.leaseSpent());
        safe(
                took.compareTo(least) >= 0,
                "a revoked lease of " + least.toMillis() + " ms has ended after " + took.toMillis() + " ms");
        Duration most = scene.latestEndSeen(scene.lease());
        that(took.compareTo(most) <= 0, "a revoked lease must not last longer, and lasted " + took.toMillis() + " ms");
        that(!victim.renew(), "a lease that has ended must not be renewed");
        safe(!victim.holdsUntilLeaseEnds(), "a claim must not say that it holds what another holds");
    }

    @Rule(
            says = "A claim whose lock was freed at once does not say that it holds until its lease ends.",
            because = "Its holder would go on beside the next one.",
            needs = Feature.REVOCABLE)
    default void r6_aClaimRevokedAtOnceDoesNotSayThatItHolds(Scene scene) {
        RecordingClaim victim = granted(scene.lasting("A"));
        that(scene.backend("C").revoke(scene.lock(), "first", false, scene.callLimit()), "somebody held the lock");
        that(!victim.renew(), "a revoked holder must not be able to renew");
        that(scene.backend("C").revoke(scene.lock(), "then", true, scene.callLimit()), "somebody held the lock");
        that(!victim.renew(), "a revoked holder must not be able to renew");
        safe(!victim.holdsUntilLeaseEnds(), "a claim whose lock was freed at once must not say that it holds it");
        granted(scene.lasting("B"));
    }

    @Rule(
            says =
                    "After somebody else has freed a lock at once and got it, no thread of the client that held it before gets it"
                            + " from that client.",
            because = "It would be a holder from the beginning beside another one, with the lower token.",
            needs = Feature.REVOCABLE)
    default void r7_aRevokedLockIsNotHandedOver(Scene scene) throws Exception {
        scene.needs(scene.leases(5));
        // So long that the holder renews it when all is over.
        DistributedLock lock =
                scene.lockOf("A", scene.options("A").withLocalHandOvers(16).withLease(scene.leases(5)));
        Lease revoked = present(lock.tryAcquire());
        BackgroundTask<Lease> waiter = scene.start("A2", lock::acquire);
        scene.await("the second thread waits", waiter::isWaiting);
        DistributedLock other = scene.lockOf("B");
        that(other.revokeNow("its host is gone"), "somebody held the lock");
        Lease between = present(other.tryAcquire());
        that(!revoked.release(), "a lease whose lock was freed at once was lost");
        that(!waiter.isDone(), "the lock went to a thread of its old holder's client while another client holds it");
        that(between.release(), "the lease must have been held until its release");
        Lease next = waiter.get(scene.limit());
        boolean fenced = scene.backend("C").features().contains(Feature.FENCED);
        safe(
                !fenced || next.fencingToken() > between.fencingToken(),
                "the token fell from " + (fenced ? between.fencingToken() : 0));
        next.release();
    }

    @Rule(
            says = "Revoking a free lock changes nothing and answers false.",
            because = "A revocation that waits for the next holder hits the wrong one.",
            needs = Feature.REVOCABLE)
    default void r4_revokingAFreeLockDoesNothing(Scene scene) {
        that(!scene.backend("C").revoke(scene.lock(), "too early", false, scene.callLimit()), "nobody held the lock");
        that(!scene.backend("C").revoke(scene.lock(), "too early", true, scene.callLimit()), "nobody held the lock");
        RecordingClaim next = granted(scene.lasting("B"));
        that(next.renew(), "a revocation of a free lock must not hit the next holder");
    }

    @Rule(
            says = "Listing answers the held locks of a prefix, page by page, each once, in one order.",
            because = "A store of a hundred thousand locks cannot be listed in one answer.",
            needs = Feature.LISTABLE)
    default void r5_listingIsPaged(Scene scene) {
        String prefix = scene.lock("page_%*");
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            names.add(prefix + (char) ('a' + i));
            granted(scene.lasting("A", names.get(i)));
        }
        granted(scene.lasting("A", scene.lock("pagexx*z")));
        granted(scene.lasting("A", scene.lock("page_%z")));
        granted(scene.lasting("A", scene.lock("page_y")));
        granted(scene.lasting("A", scene.lock("in-") + prefix));
        granted(scene.lasting("A", prefix.toUpperCase(Locale.ROOT)));
        granted(scene.lasting("A", prefix + "z")).release();
        List<String> seen = new ArrayList<>();
        String after = "";
        for (int size = 10; size == 10; after = seen.get(seen.size() - 1)) {
            List<LockHolder> page = scene.backend("B").list(prefix, after, 10, scene.callLimit());
            page.forEach(holder -> seen.add(holder.lock()));
            size = page.size();
            that(size <= 10, "a page of at most 10 had " + size + " locks");
            that(size > 0 && seen.size() <= 30, "the pages gave " + seen);
        }
        that(seen.stream().sorted().toList().equals(names), "the pages gave " + seen + " instead of " + names);
    }

    @Rule(
            says = "A backend that is not LISTABLE says so when it is asked.",
            because = "An empty list would mean that nobody holds anything.",
            absent = Feature.LISTABLE)
    default void v1_withoutListingItIsRefused(Scene scene) {
        thrown(
                UnsupportedOperationException.class,
                () -> scene.backend("A").list("", "", 10, scene.callLimit()),
                "a backend that is not LISTABLE must refuse to list");
    }

    @Rule(
            says = "A backend that is not REVOCABLE says so when it is asked.",
            because = "An operator who is told nothing believes that the lock is free.",
            absent = Feature.REVOCABLE)
    default void v1_withoutRevokingItIsRefused(Scene scene) {
        thrown(
                UnsupportedOperationException.class,
                () -> scene.backend("A").revoke(scene.lock(), "reason", false, scene.callLimit()),
                "a backend that is not REVOCABLE must refuse to revoke");
    }
}
