// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.lease;

import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.refused;
import static io.mortise.lock.tck.scene.Expect.safe;
import static io.mortise.lock.tck.scene.Expect.that;

import io.mortise.lock.LockHolder;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/** Cases about leases of odd, of great and of renewed lengths. */
public interface LengthCases {
    /** A little more than what counters of 31 and 32 bits can count, in microseconds and in milliseconds, and than some usual caps. */
    List<Duration> LONG = LongStream.of(
                    45_000,
                    95_000,
                    (1L << 31) / 1_000,
                    (1L << 32) / 1_000,
                    Duration.ofHours(25).toMillis(),
                    Duration.ofDays(30).toMillis(),
                    1L << 31,
                    1L << 32)
            .mapToObj(millis -> Duration.ofMillis(millis + 150))
            .toList();

    @Rule(
            says =
                    "A lease of an odd number of milliseconds lasts for that, whether it was granted or renewed, alone or together"
                            + " with others.",
            because =
                    "A store that rounds down, or to the nearest second, lets the next holder in before this one has ended.")
    default void f2_oddLeasesAreHonoured(Scene scene) throws InterruptedException {
        LockBackend backend = scene.backend("A");
        LeaseBounds bounds = backend.leaseBounds();
        // Tries that create rows, connections or scripts for the first time would count as part of a lease.
        granted(scene.claim("A")).release();
        granted(scene.claim("B")).release();
        LeaseEnds ends = new LeaseEnds(scene);
        for (Duration odd : List.of(Duration.ofMillis(400), Duration.ofMillis(1_149))) {
            if (!bounds.allow(odd)) {
                continue;
            }
            long asked = System.nanoTime();
            ends.expect("a lease", granted(scene.claim("A", scene.lock("granted" + odd), odd)), odd, asked);
            if (!bounds.outlivesHolder()) {
                continue; // the store may keep the length of the grant
            }
            RecordingClaim renewed = granted(scene.lasting("A", scene.lock("renewed" + odd)));
            asked = System.nanoTime();
            that(renewed.renew(odd), "the holder must be able to renew");
            ends.expect("a renewed lease", renewed, odd, asked);
            RecordingClaim together = granted(scene.lasting("A", scene.lock("together" + odd)));
            asked = System.nanoTime();
            renewedTogether(scene, List.of(new Renewal(together, odd)));
            ends.expect("a lease that was renewed in a batch", together, odd, asked);
        }
        ends.await();
    }

    @Rule(
            says =
                    "A long lease within the bounds lasts for that, whether it was granted or renewed, alone or together with"
                            + " others; where the store tells what is left, it tells that.",
            because =
                    "A store that counts in 32 bits, or caps what it is asked for, lets the next holder in within moments, or"
                            + " within an hour.")
    default void f2_longLeasesAreNeitherCutNorWrapped(Scene scene) throws InterruptedException {
        LockBackend backend = scene.backend("A");
        LeaseBounds bounds = backend.leaseBounds();
        List<Duration> lengths = new ArrayList<>(LONG);
        lengths.add(bounds.longest());
        lengths.removeIf(length -> !bounds.allow(length));
        List<Renewal> held = new ArrayList<>();
        List<Renewal> batch = new ArrayList<>();
        long asked = System.nanoTime();
        for (int i = 0; i < lengths.size(); i++) {
            Duration length = lengths.get(i);
            held.add(new Renewal(granted(scene.claim("A", scene.lock("granted-" + i), length)), length));
            if (bounds.outlivesHolder()) {
                RecordingClaim renewed = granted(scene.claim("A", scene.lock("renewed-" + i)));
                that(renewed.renew(length), "a lease must be renewable to " + length);
                held.add(new Renewal(renewed, length));
                batch.add(new Renewal(granted(scene.claim("A", scene.lock("together-" + i))), length));
            }
        }
        if (!batch.isEmpty()) {
            renewedTogether(scene, batch);
        }
        held.addAll(batch);
        scene.pass(Duration.ofMillis(400));
        for (Renewal lease : held) {
            RecordingClaim holder = (RecordingClaim) lease.claim();
            refused(scene.claim("B", holder.request().lock()));
            Duration elapsed = Duration.ofNanos(System.nanoTime() - asked);
            rest(scene, holder.request().lock()).ifPresent(rest -> {
                Duration least =
                        lease.lease().minus(elapsed).minus(holder.leaseSpent()).minusSeconds(2);
                Duration most = lease.lease().plusSeconds(2);
                safe(
                        rest.compareTo(least) >= 0 && rest.compareTo(most) <= 0,
                        "of a lease of " + lease.lease() + " the store has " + rest + " left after " + elapsed
                                + ", and not " + least + " to " + most);
            });
            that(holder.release(), "a lease of " + lease.lease() + " must still be held at once");
        }
    }

    @Rule(
            says = "Each yes to a renewal or to a repeated try begins the lease anew, however much of it was left.",
            because =
                    "A client that answers from its memory, or a store that renews only what is about to end, lets the next"
                            + " holder in while this one counts on the lease that it was told.")
    default void f4_everyYesBeginsTheLeaseAnew(Scene scene) throws InterruptedException {
        Duration lease = scene.lease();
        granted(scene.claim("B")).release();
        LeaseEnds ends = new LeaseEnds(scene);
        List<RecordingClaim> claims = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            claims.add(granted(scene.claim("A", scene.lock("lock-" + i))));
        }
        for (int i = 0; i < 6; i += 3) {
            scene.pass(scene.leases(i == 0 ? 0.1 : 0.3));
            long asked = System.nanoTime();
            that(claims.get(i).renew(), "the holder must be able to renew");
            renewedTogether(scene, List.of(new Renewal(claims.get(i + 1), lease)));
            granted(claims.get(i + 2));
            String when = i == 0 ? " soon after the grant" : " before the half of it was over";
            ends.expect("a lease renewed" + when, claims.get(i), lease, asked);
            ends.expect("a lease renewed in a batch" + when, claims.get(i + 1), lease, asked);
            ends.expect("a lease that was asked for again" + when, claims.get(i + 2), lease, asked);
        }
        ends.await();
    }

    private static void renewedTogether(Scene scene, List<Renewal> renewals) {
        List<Answer> answers = scene.backend("A").renewAll(renewals, scene.limit());
        that(answers.equals(Collections.nCopies(renewals.size(), Answer.YES)), "all must be renewed, not " + answers);
    }

    private static Optional<Duration> rest(Scene scene, String lock) {
        try {
            LockHolder holder = scene.backend("B")
                    .inspect(lock, scene.callLimit())
                    .orElseThrow(() -> new AssertionError("inspect must find the holder"));
            return holder.remaining();
        } catch (UnsupportedOperationException untold) {
            return Optional.empty();
        }
    }
}
