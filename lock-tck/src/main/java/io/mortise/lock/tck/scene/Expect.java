// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.scene;

import io.mortise.lock.Lease;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.history.SafetyViolation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** Assertions that cases share, with messages that say what went wrong. */
public final class Expect {
    private Expect() {}

    /** The store must grant. */
    public static RecordingClaim granted(RecordingClaim claim) {
        that(claim.tryAcquire(), claim + " should have been granted the lock, but was refused");
        return claim;
    }

    /** The store must grant when a lease has ended that nobody renews. */
    public static RecordingClaim grantedAfterLease(Scene scene, RecordingClaim claim) throws InterruptedException {
        scene.await("the lock is free after its lease", claim::tryAcquire);
        return claim;
    }

    public static void refused(RecordingClaim claim) {
        that(!claim.tryAcquire(), claim + " should have been refused, but was granted the lock");
    }

    /** The lock must be free now, for anybody; it is free afterwards. */
    public static void free(Scene scene, String lock) {
        granted(scene.claim("free?", lock)).release();
    }

    /** The lock that the case is about must be free now, for anybody; it is free afterwards. */
    public static void free(Scene scene) {
        free(scene, scene.lock());
    }

    /** The lock must become free; it is free afterwards. */
    public static void freeWithin(Scene scene, String lock, Duration atMost) throws InterruptedException {
        RecordingClaim claim = scene.claim("free?", lock);
        scene.await("the lock is free", atMost, claim::tryAcquire);
        claim.release();
    }

    /** The lock that the case is about must become free; it is free afterwards. */
    public static void freeWithin(Scene scene, Duration atMost) throws InterruptedException {
        freeWithin(scene, scene.lock(), atMost);
    }

    /** The lock must be held by somebody. */
    public static void taken(Scene scene, String lock) {
        RecordingClaim claim = scene.claim("taken?", lock);
        refused(claim);
        claim.release();
    }

    /** The lock that the case is about must be held by somebody. */
    public static void taken(Scene scene) {
        taken(scene, scene.lock());
    }

    /** The token must rise from one grant to the next, unless the store has no tokens. */
    public static void risen(RecordingClaim before, RecordingClaim next) {
        that(
                next.fencingToken() > before.fencingToken() || next.fencingToken() == 0,
                "the token must rise above " + before.fencingToken() + ", not to " + next.fencingToken());
    }

    /** The store must answer; connections that were cut may say so first. */
    public static boolean answered(Scene scene, BooleanSupplier question) throws InterruptedException {
        AtomicBoolean answer = new AtomicBoolean();
        scene.await("the store answers", () -> {
            try {
                answer.set(question.getAsBoolean());
                return true;
            } catch (BackendException unanswered) {
                return false;
            }
        });
        return answer.get();
    }

    /** Everybody must have held the lock until its release, which is what each task answers. */
    public static void allHeld(Scene scene, List<BackgroundTask<Boolean>> tasks) throws Exception {
        for (BackgroundTask<Boolean> task : tasks) {
            that(task.get(scene.limit()), "each must have held the lock until its release");
        }
    }

    public static Lease present(Optional<Lease> lease) {
        return lease.orElseThrow(() -> new AssertionError("a lease was expected, but the lock counted as busy"));
    }

    public static void empty(Optional<Lease> lease) {
        that(lease.isEmpty(), "the lock should have been busy, but a lease was granted: " + lease);
    }

    public static void that(boolean condition, String otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }

    /** Like {@link #that}, for what no stall of the machine excuses: two holders, or what comes of them. */
    public static void safe(boolean condition, String otherwise) {
        if (!condition) {
            throw new SafetyViolation(otherwise);
        }
    }

    /** A duration must lie in bounds, both inclusive. */
    public static void between(String what, Duration took, Duration least, Duration most) {
        that(
                took.compareTo(least) >= 0 && took.compareTo(most) <= 0,
                what + " took " + took.toMillis() + " ms; allowed are " + least.toMillis() + " to " + most.toMillis()
                        + " ms");
    }

    public interface Action {
        void run() throws Exception;
    }

    /** The action must throw; answers what it threw. */
    public static <T extends Throwable> T thrown(Class<T> type, Action action, String otherwise) {
        try {
            action.run();
        } catch (Throwable failure) {
            if (type.isInstance(failure)) {
                return type.cast(failure);
            }
            throw new AssertionError(otherwise + "; instead of " + type.getSimpleName() + " came " + failure, failure);
        }
        throw new AssertionError(otherwise + "; no " + type.getSimpleName() + " was thrown");
    }

    /** How long something takes. */
    public static Duration time(Action action) throws Exception {
        long start = System.nanoTime();
        action.run();
        return Duration.ofNanos(System.nanoTime() - start);
    }
}
