// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.lease;

import static io.mortise.lock.tck.scene.Expect.safe;
import static io.mortise.lock.tck.scene.Expect.that;

import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.Scene;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Measures the ends of many leases at once, so that together they take no longer than the longest. */
final class LeaseEnds {
    private record End(String what, RecordingClaim next, long asked, Duration least, Duration most) {}

    private final Scene scene;
    private final List<End> ends = new ArrayList<>();

    LeaseEnds(Scene scene) {
        this.scene = scene;
    }

    /** A lease that was asked for at a time must end after its length, and not before. */
    void expect(String what, RecordingClaim holder, Duration lease, long asked) {
        RecordingClaim next = scene.claim("B", holder.request().lock());
        ends.add(new End(what, next, asked, lease.minus(holder.leaseSpent()), scene.latestEndSeen(lease)));
    }

    void await() throws InterruptedException {
        List<End> left = new ArrayList<>(ends);
        scene.await("all leases have ended", () -> {
            left.removeIf(this::hasEnded);
            return left.isEmpty();
        });
    }

    private boolean hasEnded(End end) {
        boolean granted = end.next.tryAcquire();
        Duration took = Duration.ofNanos(System.nanoTime() - end.asked);
        safe(
                !granted || took.compareTo(end.least) >= 0,
                end.what + " of " + end.least.toMillis() + " ms has ended after " + took.toMillis() + " ms");
        that(
                granted || took.compareTo(end.most) <= 0,
                end.what + " of " + end.least.toMillis() + " ms has not ended after " + took.toMillis() + " ms");
        return granted;
    }
}
