// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static io.mortise.lock.tck.scene.Expect.between;
import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.refused;
import static io.mortise.lock.tck.scene.Expect.that;
import static io.mortise.lock.tck.scene.Expect.time;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import io.mortise.lock.tck.servers.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Further cases of the suite, for the queue in Redis: a grant is one claim's, and the dead cost little. */
interface RedisQueueCases {
    /** The server under test. */
    RedisServer server();

    /** A release has granted the lock before the claim hears of it. */
    @Rule(
            says = "A lock that was waited for is held for a full lease, however late the claim confirmed its grant.",
            because = "A holder that counts on its lease is overtaken when the store counts another one.",
            needs = Feature.FAIR)
    default void f4_aGrantByAReleaseLastsAFullLease(Scene scene) throws Exception {
        String lock = scene.lock("lock");
        Duration lease = scene.leases(3);
        RecordingClaim holder = granted(scene.claim("A", lock, scene.leases(30)));
        RecordingClaim waiting = queued(scene, "B", lock, lease, () -> {});
        that(holder.release(), "the holder must have held");
        long released = System.nanoTime();
        scene.await(
                "half of the lease is over",
                scene.limit(),
                () -> System.nanoTime() - released > lease.dividedBy(2).toNanos());
        RecordingClaim next = scene.claim("C", lock);
        Duration took = time(() -> {
            granted(waiting);
            scene.await("the lock is free after its lease", scene.limit(), next::tryAcquire);
        });
        between(
                "the lease after a grant by a release",
                took,
                lease.minus(waiting.leaseSpent()),
                lease.plusSeconds(2).plus(scene.tolerance()));
    }

    /** A claim behind it gets a message as well. */
    @Rule(
            says = "A claim that is told to look whether another came is not granted the lock by that.",
            because = "Two holders: the claim that was granted the lock, and the claim that was told of it.",
            needs = Feature.FAIR)
    default void k3_aMessageToLookIsNoGrant(Scene scene) throws Exception {
        String lock = scene.lock("lock");
        AtomicInteger told = new AtomicInteger();
        AtomicInteger toldToLook = new AtomicInteger();
        RecordingClaim holder = granted(scene.claim("A", lock, scene.leases(30)));
        RecordingClaim first = queued(scene, "B", lock, scene.leases(30), told::incrementAndGet);
        RecordingClaim second = queued(scene, "C", lock, scene.leases(30), toldToLook::incrementAndGet);
        that(holder.release(), "the holder must have held");
        scene.await("the first in line is told", scene.limit(), () -> told.get() > 0);
        granted(first);
        scene.await("the last in line is told to look", scene.limit(), () -> toldToLook.get() > 0);
        refused(second);
        that(first.release(), "the first in line must still hold");
    }

    /** The message of a grant may come after the grant was given to another. */
    @Rule(
            says =
                    "A claim that was granted the lock and did not confirm it in time does not get it by confirming it late.",
            because = "Two holders: the claim that was late, and the next one.",
            needs = Feature.FAIR)
    default void k3_aGrantThatWasPassedOnCannotBeConfirmed(Scene scene) throws Exception {
        String lock = scene.lock("lock");
        AtomicInteger told = new AtomicInteger();
        RecordingClaim holder = granted(scene.claim("A", lock, scene.leases(30)));
        RecordingClaim first = queued(scene, "B", lock, scene.leases(30), told::incrementAndGet);
        RecordingClaim second = queued(scene, "C", lock, scene.leases(30), () -> {});
        that(holder.release(), "the holder must have held");
        scene.await("the first in line is told", scene.limit(), () -> told.get() > 0);
        scene.await("the grant is passed on", scene.limit(), second::tryAcquire);
        refused(first);
        refused(first);
        that(second.release(), "the second in line must still hold");
        scene.await("the first in line is served again", scene.limit(), first::tryAcquire);
    }

    /** It was told of its grant while it gave up. */
    @Rule(
            says = "A claim that gives up when it was granted the lock passes the lock on at once.",
            because = "Everybody waits for a claim that has gone.",
            needs = Feature.FAIR)
    default void c9_aGrantThatNobodyWantsIsPassedOn(Scene scene) throws Exception {
        String lock = scene.lock("lock");
        AtomicInteger told = new AtomicInteger();
        AtomicInteger next = new AtomicInteger();
        RecordingClaim holder = granted(scene.claim("A", lock, scene.leases(30)));
        RecordingClaim first = queued(scene, "B", lock, scene.leases(30), told::incrementAndGet);
        RecordingClaim second = queued(scene, "C", lock, scene.leases(30), next::incrementAndGet);
        RecordingClaim third = queued(scene, "D", lock, scene.leases(30), () -> {});
        that(holder.release(), "the holder must have held");
        scene.await("the first in line is told", scene.limit(), () -> told.get() > 0);
        that(!first.release(), "a claim that did not take its grant has not held the lock");
        scene.await("the second in line is told", scene.limit(), () -> next.get() > 0);
        granted(second);
        that(!third.release(), "a claim in line does not hold the lock");
        that(second.release(), "the second in line must hold");
        // Nobody is in line any more, and it is kept for nobody.
        granted(scene.claim("E", lock));
    }

    /** The releases use what was read of the queue before. */
    @Rule(
            says = "Whoever leaves the line, or comes to it, is heeded by the next release.",
            because = "A lock that is granted to somebody who has gone is free and cannot be had.",
            needs = Feature.FAIR)
    default void c9_everyReleaseKnowsTheLineAsItIs(Scene scene) throws Exception {
        String lock = scene.lock("lock");
        RecordingClaim holder = granted(scene.claim("A", lock, scene.leases(30)));
        List<RecordingClaim> line = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            line.add(queued(scene, "W" + i, lock, scene.leases(30), () -> {}));
        }
        that(holder.release(), "the holder must have held");
        granted(line.get(0));
        for (int gone : new int[] {1, 2, 5, 9, 11}) {
            that(!line.get(gone).release(), "a claim in line does not hold the lock");
        }
        line.add(queued(scene, "late", lock, scene.leases(30), () -> {}));
        int before = 0;
        for (int next : new int[] {3, 4, 6, 7, 8, 10, 12}) {
            that(line.get(before).release(), "claim " + before + " must have held");
            granted(line.get(next));
            before = next;
        }
        that(line.get(before).release(), "the last must have held");
        granted(scene.claim("E", lock));
    }

    /** No herd. */
    @Rule(
            says = "A release wakes one waiter, and one more at most to look after it.",
            because = "Waking all of them costs the server as many scripts as there are clients, for each release.",
            needs = Feature.FAIR)
    default void k5_aReleaseWakesOneWaiter(Scene scene) throws Exception {
        String lock = scene.lock("lock");
        RecordingClaim holder = granted(scene.claim("A", lock, scene.leases(30)));
        List<AtomicInteger> nudges = new ArrayList<>();
        List<RecordingClaim> line = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            AtomicInteger count = new AtomicInteger();
            nudges.add(count);
            line.add(queued(scene, "W" + i, lock, scene.leases(30), count::incrementAndGet));
        }
        that(holder.release(), "the holder must have held");
        scene.await("the first is told", scene.limit(), () -> nudges.get(0).get() > 0);
        granted(line.get(0));
        scene.await(
                "the last is told to look", scene.limit(), () -> nudges.get(7).get() > 0);
        // Whoever has looked in vain has had time to hear what was said before.
        line.subList(1, 8).forEach(claim -> refused(claim));
        int woken = nudges.stream().mapToInt(AtomicInteger::get).sum();
        that(woken == 2, "a release has woken " + woken + " of eight");
    }

    /** Many dead ones in front. */
    @Rule(
            says = "Waiters that are gone hold up those behind them for a moment, however many they are.",
            because = "A host that dies takes all its waiters along.",
            needs = Feature.FAIR)
    default void k8_theDeadCostASecondTogether(Scene scene) throws Exception {
        behindTheDead(scene, 9, scene.leases(60));
    }

    /** No message says that a claim did not come, and the old holder's lease would have been long. */
    @Rule(
            says = "A claim behind a waiter that is gone tries soon after it, and not when the old lease would have"
                    + " ended.",
            because = "The lock is free meanwhile, and everybody sleeps.",
            needs = Feature.FAIR)
    default void k8_aWaiterLooksWhenTheOneBeforeItIsDead(Scene scene) throws Exception {
        behindTheDead(scene, 1, scene.leases(60));
    }

    /** Their grants are over before anybody looks, and would be made again and again. */
    @Rule(
            says = "Waiters that are gone hold up those behind them for a moment, however short their leases are.",
            because = "A lock is granted to the same dead waiter for ever.",
            needs = Feature.FAIR)
    default void k8_theDeadMayHaveWantedShortLeases(Scene scene) throws Exception {
        behindTheDead(scene, 3, Duration.ofMillis(300));
    }

    private static void behindTheDead(Scene scene, int dead, Duration lease) throws Exception {
        String lock = scene.lock("lock");
        RecordingClaim holder = granted(scene.claim("A", lock, scene.leases(60)));
        for (int i = 0; i < dead; i++) {
            queued(scene, "dead", lock, lease, () -> {});
        }
        LockClient sleeper = scene.client("B");
        BackgroundTask<Lease> sleeping =
                scene.start("B", () -> sleeper.lock(lock).acquire());
        scene.await(
                "B stands in line",
                scene.limit(),
                () -> scene.backend("A")
                                .inspect(lock, Duration.ofSeconds(2))
                                .orElseThrow()
                                .waiters()
                                .orElse(0)
                        == dead + 1);
        that(holder.release(), "the holder must have held");
        sleeping.get(scene.deadWaiters()).release();
    }

    /** A process that ended has closed its connections. */
    @Rule(
            says = "A waiter that the server cannot reach holds up nobody.",
            because = "Every deployment ends processes that wait.",
            needs = Feature.FAIR)
    default void k8_anUnreachableWaiterCostsNothing(Scene scene) throws Exception {
        String lock = scene.lock("lock");
        RecordingClaim holder = granted(scene.claim("A", lock, scene.leases(30)));
        for (int i = 0; i < 3; i++) {
            queued(scene, "gone-" + i, lock);
        }
        RecordingClaim next = queued(scene, "B", lock);
        for (int i = 0; i < 3; i++) {
            scene.backend("gone-" + i).close();
        }
        scene.await(
                "the server knows who listens",
                scene.limit(),
                () -> server().command("PUBSUB", "CHANNELS", "mortise:client:*") instanceof List<?> channels
                        && channels.size() == 1);
        that(holder.release(), "the holder must have held");
        // Kept for it, and not for one of those who are gone.
        granted(next);
    }

    /** Nobody calls when a holder dies: the claim that looks first does. */
    @Rule(
            says = "Waiters are also served in order when the holder has died and a later one looks first.",
            because = "The claim that happens to look first is served first, again and again.",
            needs = Feature.FAIR)
    default void k8_theOrderSurvivesADeadHolder(Scene scene) {
        String lock = scene.lock("lock");
        granted(scene.claim("A", lock, scene.leases(30)));
        RecordingClaim first = queued(scene, "B", lock);
        RecordingClaim second = queued(scene, "C", lock);
        scene.faults().expireNow(lock);
        refused(waiting(scene, "C", lock));
        refused(second);
        granted(first);
    }

    /** The dead are dropped, and the living are not. */
    @Rule(
            says = "Living claims keep their order, however many dead ones are before and between them.",
            because = "A host that dies reverses the queue of all others.",
            needs = Feature.FAIR)
    default void k8_theLivingKeepTheirOrderBehindTheDead(Scene scene) {
        for (int dead : new int[] {1, 3, 40}) {
            int rounds = 0;
            while (!livingBehind(scene, dead, scene.lock("lock-" + dead + "-" + rounds))) {
                rounds++;
                that(rounds < 20, "the machine stands still for half a second again and again");
            }
        }
    }

    /** False if the machine stood still where time matters: then it says nothing. Where time has to pass, it is over at once. */
    private boolean livingBehind(Scene scene, int dead, String lock) {
        RecordingClaim holder = granted(scene.claim("A", lock, scene.leases(60)));
        for (int i = 0; i < dead; i++) {
            queued(scene, "dead", lock);
        }
        List<RecordingClaim> living = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            living.add(queued(scene, "W" + i, lock));
            queued(scene, "dead", lock);
        }
        that(holder.release(), "the holder must have held");
        aSecondPasses(lock);
        // One in three looks is whether the grant was confirmed.
        for (int i = 0; i < 3; i++) {
            refused(living.get(3));
        }
        if (!lasts(lock)) {
            return false;
        }
        for (int each : new int[] {2, 0, 1}) {
            refused(living.get(each));
        }
        over(lock);
        for (int next = 0; next < 4; next++) {
            for (int each = 3; each > next; each--) {
                refused(living.get(each));
                if (!lasts(lock)) {
                    return false;
                }
            }
            granted(living.get(next)).release();
        }
        return true;
    }

    /** A grant is as old as its lease is short. */
    private void aSecondPasses(String lock) {
        String key = Claims.keys(lock).lock();
        long left = Long.parseLong(String.valueOf(server().command("PTTL", key)));
        server().command("PEXPIRE", key, String.valueOf(left - 1_000));
    }

    private void over(String lock) {
        server().command("PEXPIRE", Claims.keys(lock).lock(), "0");
    }

    /** Lets the moment for which the lock is kept last a minute, unless it is over. */
    private boolean lasts(String lock) {
        return Long.valueOf(1)
                .equals(server().command("PEXPIRE", Claims.keys(lock).lock(), "60000"));
    }

    /** A claim that stands in the queue, with the scene's lease. */
    private static RecordingClaim queued(Scene scene, String who, String lock) {
        return queued(scene, who, lock, scene.lease(), () -> {});
    }

    /** A claim that stands in the queue. */
    private static RecordingClaim queued(Scene scene, String who, String lock, Duration lease, Runnable nudge) {
        RecordingClaim claim = waiting(scene, who, lock, lease, nudge);
        refused(claim);
        return claim;
    }

    /** A claim that waits, with the scene's lease. */
    static RecordingClaim waiting(Scene scene, String who, String lock) {
        return waiting(scene, who, lock, scene.lease(), () -> {});
    }

    /** A claim that waits. */
    static RecordingClaim waiting(Scene scene, String who, String lock, Duration lease, Runnable nudge) {
        ClaimRequest usual = scene.request(lock, who);
        return scene.claim(scene.backend(who), new ClaimRequest(lock, usual.owner(), who, lease, true, 0, 1), nudge);
    }
}
