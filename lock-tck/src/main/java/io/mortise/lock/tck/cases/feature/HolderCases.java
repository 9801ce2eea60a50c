// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.feature;

import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.refused;
import static io.mortise.lock.tck.scene.Expect.that;

import io.mortise.lock.LockHolder;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/** Cases about what inspecting tells of a holder: it is of this grant, and of no other one. */
public interface HolderCases {
    @Rule(
            says =
                    "The time for which a lock is held begins anew with each grant, and not with a repeated try, a renewal or a"
                            + " revocation.",
            because =
                    "People decide by it whether a holder hangs: it is neither that of those before it nor of its last request.")
    default void r1_heldForIsOfThisGrant(Scene scene) throws InterruptedException {
        LockBackend backend = scene.inspectable("B");
        Duration coarse = coarse(backend);
        RecordingClaim before = granted(scene.lasting("A"));
        scene.pass(coarse.multipliedBy(2).plusMillis(50));
        that(before.release(), "the holder must have held");

        long asked = System.nanoTime();
        RecordingClaim holder =
                granted(scene.claim(scene.backend("A"), scene.lastingRequest(scene.lock(), "the next")));
        long granted = System.nanoTime();
        LockHolder told = told(scene, scene.lock());
        Duration most = Duration.ofNanos(System.nanoTime() - asked).plus(coarse);
        that(told.heldFor().compareTo(most) <= 0, "the lock was held for " + most + " at most, not " + told.heldFor());
        that(told.label().equals("the next"), "the holder is the next, not " + told.label());

        scene.pass(coarse.multipliedBy(2).plusMillis(50));
        granted(holder);
        scene.backend("A").renewAll(List.of(new Renewal(holder, holder.request().lease())), scene.callLimit());
        refused(scene.claim("C"));
        Duration least = Duration.ofNanos(System.nanoTime() - granted).minus(coarse);
        told = told(scene, scene.lock());
        that(
                told.heldFor().compareTo(least) >= 0,
                "the lock was held for " + least + " at least, not " + told.heldFor());

        if (backend.features().contains(Feature.REVOCABLE)) {
            that(backend.revoke(scene.lock(), "make room", false, scene.callLimit()), "somebody held the lock");
            told = told(scene, scene.lock());
            that(
                    told.heldFor().compareTo(least) >= 0,
                    "revoked, the lock was held for " + least + " at least, not " + told.heldFor());
        }
    }

    @Rule(
            says =
                    "What is told to be left of a lease is about that, becomes less, and is of the lease that was renewed last.",
            because = "People and programs wait for as long as they are told.")
    default void r1_theRestOfTheLeaseIsRight(Scene scene) throws InterruptedException {
        LockBackend backend = scene.inspectable("B");
        Duration coarse = coarse(backend);
        long asked = System.nanoTime();
        RecordingClaim lasting = granted(scene.lasting("A"));
        RecordingClaim renewed = granted(scene.claim("A", scene.lock("renewed")));
        that(renewed.renew(lasting.request().lease()), "the holder must be able to renew");
        RecordingClaim brief = granted(scene.claim("A", scene.lock("brief")));
        that(brief.release(), "the holder must have held");
        leaves(scene, lasting, asked);
        leaves(scene, renewed, asked);
        if (told(scene, scene.lock()).remaining().isEmpty()) {
            return;
        }
        Duration first = told(scene, scene.lock()).remaining().orElseThrow();
        long answered = System.nanoTime();
        scene.pass(coarse.multipliedBy(2).plusMillis(50));
        Duration most = first.minusNanos(System.nanoTime() - answered).plus(coarse);
        Duration later = told(scene, scene.lock()).remaining().orElseThrow();
        that(later.compareTo(most) <= 0, "of " + first + " only " + most + " can be left by now, not " + later);

        asked = System.nanoTime();
        granted(lasting);
        leaves(scene, lasting, asked);
    }

    /** At least what is left of a lasting lease that was asked for then. */
    private static void leaves(Scene scene, RecordingClaim holder, long asked) {
        boolean exact = scene.backend("B").leaseBounds().outlivesHolder();
        told(scene, holder.request().lock()).remaining().ifPresent(rest -> {
            Duration lease = scene.honoured(scene.limit());
            Duration least = lease.minusNanos(System.nanoTime() - asked).minusSeconds(2);
            that(
                    !exact || rest.compareTo(least) >= 0,
                    "of a lease of " + lease + " at least " + least + " must be left, not " + rest);
            Duration most = lease.plusSeconds(2);
            that(rest.compareTo(most) <= 0, "of a lease of " + lease + " " + rest + " cannot be left");
        });
    }

    @Rule(
            says = "If inspecting tells how many claims wait, it tells those that wait for this lock now.",
            because = "A queue that looks empty or endless makes people revoke the wrong lock.")
    default void r1_thoseWhoWaitAreCounted(Scene scene) throws InterruptedException {
        scene.inspectable("B");
        RecordingClaim holder = granted(scene.lasting("A"));
        granted(scene.lasting("A", scene.lock("other")));
        waiting(scene);
        RecordingClaim plain = scene.claim("C");
        refused(plain);
        waiting(scene);
        RecordingClaim first = scene.claim(scene.backend("C"), scene.waitingRequest("C"));
        waiting(scene, first);
        RecordingClaim second = scene.claim(scene.backend("D"), scene.waitingRequest("D"));
        waiting(scene, first, second);
        waiting(scene, first, second);
        OptionalInt others = told(scene, scene.lock("other")).waiters();
        that(others.orElse(0) == 0, "nobody waits for the other lock, and " + others + " are told");
        second.release();
        waiting(scene, first);
        that(holder.release(), "the holder must have held");
        // Where the lock is the waiter's by now, it waits no more.
        OptionalInt left = scene.backend("B")
                .inspect(scene.lock(), scene.callLimit())
                .map(LockHolder::waiters)
                .orElse(OptionalInt.empty());
        that(left.orElse(0) == 0, "the only one that waited has the lock, and " + left + " are told to wait");
        scene.await("the waiter is granted the lock", first::tryAcquire);
        waiting(scene);
    }

    /** Those who wait have just asked again: a store may forget who does not for long. */
    private static void waiting(Scene scene, RecordingClaim... claims) {
        for (RecordingClaim claim : claims) {
            refused(claim);
        }
        OptionalInt told = told(scene, scene.lock()).waiters();
        that(told.orElse(claims.length) == claims.length, claims.length + " claims wait, and " + told + " are told");
    }

    static LockHolder told(Scene scene, String lock) {
        return scene.backend("B")
                .inspect(lock, scene.callLimit())
                .orElseThrow(() -> new AssertionError("inspect must find the holder of " + lock));
    }

    /** How far a duration that is told may be off: a store that counts whole seconds has no leases of less, and may be a second wrong at both ends. */
    static Duration coarse(LockBackend backend) {
        Duration shortest = backend.leaseBounds().shortest();
        Duration second = Duration.ofSeconds(1);
        return (shortest.compareTo(second) > 0 ? second : shortest)
                .multipliedBy(2)
                .plusMillis(50);
    }
}
