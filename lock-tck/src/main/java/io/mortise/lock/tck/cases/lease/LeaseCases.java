// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.lease;

import static io.mortise.lock.tck.scene.Expect.between;
import static io.mortise.lock.tck.scene.Expect.free;
import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.grantedAfterLease;
import static io.mortise.lock.tck.scene.Expect.present;
import static io.mortise.lock.tck.scene.Expect.refused;
import static io.mortise.lock.tck.scene.Expect.safe;
import static io.mortise.lock.tck.scene.Expect.that;
import static io.mortise.lock.tck.scene.Expect.thrown;
import static io.mortise.lock.tck.scene.Expect.time;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import java.time.Duration;
import java.util.function.BiConsumer;

/** Cases about the length of a lease: it lasts as long as promised, and then ends. */
public interface LeaseCases {
    /** Makes a length one that no store rounds to without a difference. */
    Duration ODD = Duration.ofMillis(149);

    @Rule(
            says = "A lock that is not renewed is free when its lease is over, and never before.",
            because = "Sooner means two holders; never means that one crash stops everybody forever.")
    default void f1_freeAfterTheLeaseAndNotBefore(Scene scene) throws Exception {
        endsAfter(scene, scene.lease());
    }

    @Rule(
            says = "A lease of a fraction of a second is honoured, or lies outside of the declared bounds.",
            because = "A store of whole seconds that rounds 500 ms to nothing grants locks that do not exclude.")
    default void f2_shortLeasesAreHonoured(Scene scene) throws Exception {
        LeaseBounds bounds = scene.backend("A").leaseBounds();
        Duration lease = Duration.ofMillis(500);
        endsAfter(scene, lease.compareTo(bounds.shortest()) < 0 ? bounds.shortest() : lease);
    }

    @Rule(
            says = "Long leases are honoured up to the declared bound.",
            because = "Thirty days is a date for one store, and 2^31 milliseconds an overflow for another.")
    default void f2_longLeasesAreHonoured(Scene scene) {
        LeaseBounds bounds = scene.backend("A").leaseBounds();
        for (Duration lease : new Duration[] {Duration.ofDays(1), Duration.ofDays(31), bounds.longest()}) {
            if (bounds.allow(lease)) {
                String lock = scene.lock("long-" + lease);
                RecordingClaim holder = granted(scene.claim(scene.backend("A"), lasting(scene, lock, lease)));
                refused(scene.claim("B", lock));
                that(holder.renew(), "a lease of " + lease + " must be renewable at once");
                refused(scene.claim("B", lock));
                that(holder.release(), "a lease of " + lease + " must still be held at once");
                free(scene, lock);
            }
        }
    }

    @Rule(
            says = "A try by the claim that holds already answers true and extends to the full lease in the same step.",
            because =
                    "The client counts its lease from the try that was answered; a store that counts from the first one"
                            + " lets the next holder in too early.")
    default void f4_aRepeatedTryExtendsToTheFullLease(Scene scene) throws Exception {
        String earlier = scene.lock("granted before the repeated try");
        // Opening a client may take long; the lease must not end meanwhile.
        RecordingClaim holder = scene.claim("A");
        RecordingClaim next = scene.claim("B");
        RecordingClaim witness = scene.claim("C", earlier);
        RecordingClaim afterWitness = scene.claim("D", earlier);
        granted(holder);
        scene.pass(scene.leases(0.6));
        granted(witness);
        scene.pass(scene.leases(0.1));
        Duration took = time(() -> {
            granted(holder);
            grantedAfterLease(scene, next);
        });
        that(afterWitness.tryAcquire(), "the lease after the repeated try has ended before one that began earlier");
        Duration least = scene.lease().minus(holder.leaseSpent());
        between("the lease after the repeated try", took, least, scene.afterLease());
    }

    @Rule(
            says = "The lease is the claim's own, whatever leases others of the same name or client ask for.",
            because = "A lease that leaks from one caller to another ends too early for one of them.")
    default void f6_leasesOfOneNameDoNotMix(Scene scene) throws Exception {
        scene.needs(scene.leases(3));
        RecordingClaim brief = granted(scene.claim("A"));
        RecordingClaim refused = scene.claim("A", scene.lock(), scene.leases(20));
        refused(refused);
        refused.release();
        that(brief.release(), "the holder must have held");
        RecordingClaim lasting = granted(scene.claim("A", scene.lock(), scene.leases(3)));
        scene.pass(scene.leases(1.5));
        RecordingClaim other = scene.claim("B");
        refused(other);
        that(lasting.release(), "a claim with a lease of three must still hold after one and a half");
        granted(other);
        RecordingClaim next = scene.claim("A");
        Duration took = time(() -> grantedAfterLease(scene, next));
        between("the end of a short lease after a long one", took, Duration.ZERO, scene.afterLease());
    }

    @Rule(
            says = "A lease that has ended cannot be renewed, also when nobody else has taken the lock.",
            because = "A holder that slept past its end must learn it, not be resurrected.")
    default void f7_anEndedLeaseCannotBeRenewed(Scene scene) throws InterruptedException {
        RecordingClaim holder = granted(scene.claim("A"));
        granted(scene.claim("A", scene.lock("granted later")));
        RecordingClaim witness = scene.claim("B", scene.lock("granted later"));
        scene.await("a lease that began later has ended", witness::tryAcquire);
        safe(!holder.renew(), "a lease that has ended must not be renewed");
        free(scene);
    }

    @Rule(
            says = "A lock with a minHold is kept from others for that time, also when it is released at once.",
            because = "Two hosts whose clocks differ by a second both run a job that takes a moment.")
    default void f8_minHoldIsKeptAfterTheRelease(Scene scene) throws InterruptedException {
        keptForMinHold(
                scene, (client, lease) -> that(lease.release(), "the lease must have been held until its release"));
    }

    @Rule(
            says = "The same is so when the client is closed.",
            because = "A short-lived process closes its client as soon as its job is done.")
    default void f8_minHoldIsKeptAfterTheEndOfTheClient(Scene scene) throws InterruptedException {
        keptForMinHold(scene, (client, lease) -> client.close());
    }

    @Rule(
            says = "A store in which sessions end locks refuses a minHold.",
            because = "The lock is free when the short job's process ends, and every host runs it.")
    default void f8_minHoldIsRefusedIfNothingIsKept(Scene scene) {
        refusedIfNothingIsKept(scene, scene.options("A").withMinHold(Duration.ofMillis(1)), "minHold");
    }

    private static void keptForMinHold(Scene scene, BiConsumer<LockClient, Lease> end) throws InterruptedException {
        scene.needsLeasesThatOutliveTheirHolders();
        Duration least = scene.leases(2).plus(ODD);
        scene.needs(least);
        LockOptions options = scene.options("A").withMinHold(least);
        LockClient holder = scene.client("A");
        long asked = System.nanoTime();
        Lease lease = present(holder.lock(scene.lock(), options).tryAcquire());
        Duration most = Duration.ofNanos(System.nanoTime() - asked).plus(scene.latestEnd(least));
        end.accept(holder, lease);
        RecordingClaim next = scene.claim("B");
        scene.await("the lock is free after its minHold", most, next::tryAcquire);
        between("the time for which the lock was kept", Duration.ofNanos(System.nanoTime() - asked), least, most);
    }

    @Rule(
            says =
                    "A lock with a lockDelay is kept from others for that time after its client was closed while it was held,"
                            + " and after a loss, and is free then.",
            because = "What the holder sent last arrives when the next one has begun, and overwrites its work.")
    default void f9_lockDelayKeepsOthersOutAfterAnUncleanEnd(Scene scene) throws InterruptedException {
        LockOptions options = delayed(scene);
        LockClient closed = scene.client("A");
        present(closed.lock(scene.lock("closed"), options).tryAcquire());
        long heldAt = System.nanoTime();
        closed.close();
        keptForLockDelay(scene, scene.lock("closed"), options.lockDelay(), heldAt);

        LockClient loser = scene.client("C");
        LockOptions brief = options.withMaxHold(scene.leases(0.5));
        long[] lastHeldAt = {System.nanoTime()};
        // A grant that is over before the call has it is none, and the call asks again.
        Lease lost = present(loser.lock(scene.lock("lost"), brief).tryAcquire(scene.limit()));
        scene.await("the lease is lost at its maxHold", () -> {
            long now = System.nanoTime();
            boolean held = lost.isHeld();
            lastHeldAt[0] = held ? now : lastHeldAt[0];
            return !held;
        });
        keptForLockDelay(scene, scene.lock("lost"), options.lockDelay(), lastHeldAt[0]);
    }

    @Rule(
            says =
                    "The same is so after the end of the lease of a holder from which the store receives nothing any more.",
            because =
                    "A process that died or was cut off can ask for no delay: the store must know it from the grant on.")
    default void f9_lockDelayKeepsOthersOutAfterAHolderThatIsCutOff(Scene scene) throws InterruptedException {
        LockOptions options = delayed(scene);
        LockBackend connection = scene.open();
        LockClient client = scene.client("A", connection, builder -> builder.callTimeout(scene.brief()));
        Lease lease = present(client.lock(scene.lock(), options).tryAcquire(scene.limit()));
        long reliesUntil = System.nanoTime() + lease.remaining().toNanos();
        connection.close();
        keptForLockDelay(scene, scene.lock(), options.lockDelay(), reliesUntil);
    }

    @Rule(
            says = "A lock with a lockDelay is free at once after a release.",
            because = "A holder that has released has nothing under way, and others would wait for nothing.")
    default void f9_aCleanReleaseHasNoDelay(Scene scene) {
        Lease lease = present(scene.lockOf("A", delayed(scene)).tryAcquire());
        that(lease.release(), "the lease must have been held until its release");
        free(scene);
    }

    @Rule(
            says = "A store in which sessions end locks refuses a lockDelay.",
            because = "The lock is free when the session ends, though what its holder sent may still be under way.")
    default void f9_lockDelayIsRefusedIfNothingIsKept(Scene scene) {
        refusedIfNothingIsKept(scene, scene.options("A").withLockDelay(Duration.ofMillis(1)), "lockDelay");
    }

    /** The delay is longer than the lease, so that the one cannot pass for the other. */
    private static LockOptions delayed(Scene scene) {
        scene.needsLeasesThatOutliveTheirHolders();
        scene.needs(scene.leases(3));
        return scene.options("A").withLockDelay(scene.leases(2).plus(ODD));
    }

    /** From the moment at which its holder relied on it last. */
    private static void keptForLockDelay(Scene scene, String lock, Duration delay, long lastReliedAt)
            throws InterruptedException {
        RecordingClaim next = scene.claim("B", lock);
        Duration most = scene.latestEnd(delay).plus(scene.afterLease());
        scene.await("the lock is free after its lockDelay", most, next::tryAcquire);
        Duration kept = Duration.ofNanos(System.nanoTime() - lastReliedAt);
        safe(
                kept.compareTo(delay) >= 0,
                "after its holder had to stop, the lock was kept from others for " + kept.toMillis()
                        + " ms, and not for its lockDelay of " + delay.toMillis() + " ms");
    }

    /** With an option of a millisecond, which is too long for no store. */
    private static void refusedIfNothingIsKept(Scene scene, LockOptions options, String option) {
        scene.needsLeasesThatEndWithTheirHolders();
        LockClient client = scene.client("A");
        thrown(
                LockConfigurationException.class,
                () -> client.lock(scene.lock(), options),
                "a store that keeps nothing of a holder that has gone must refuse a " + option);
    }

    private static void endsAfter(Scene scene, Duration lease) throws Exception {
        // Tries that create rows, connections or scripts for the first time would count as part of the lease.
        granted(scene.claim("A")).release();
        refusedOrFree(scene.claim("B"));
        long asked = System.nanoTime();
        RecordingClaim holder = granted(scene.claim(scene.backend("A"), lasting(scene, scene.lock(), lease)));
        grantedAfterLease(scene, scene.claim("B"));
        Duration took = Duration.ofNanos(System.nanoTime() - asked);
        between("the lease", took, lease.minus(holder.leaseSpent()), scene.latestEndSeen(lease));
    }

    private static void refusedOrFree(RecordingClaim claim) {
        claim.tryAcquire();
        claim.release();
    }

    private static ClaimRequest lasting(Scene scene, String lock, Duration lease) {
        ClaimRequest usual = scene.request(lock, "A");
        return new ClaimRequest(lock, usual.owner(), usual.label(), lease, false, 0, 1);
    }
}
