// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.cases.core;

import static io.mortise.lock.tck.scene.Expect.free;
import static io.mortise.lock.tck.scene.Expect.freeWithin;
import static io.mortise.lock.tck.scene.Expect.granted;
import static io.mortise.lock.tck.scene.Expect.taken;
import static io.mortise.lock.tck.scene.Expect.that;
import static io.mortise.lock.tck.scene.Expect.thrown;

import io.mortise.lock.MultiLease;
import io.mortise.lock.MultiLock;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.scene.BackgroundTask;
import io.mortise.lock.tck.scene.Rule;
import io.mortise.lock.tck.scene.Scene;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Cases about several locks that are acquired together. The leases outlast the cases, so that what is left behind does not go by itself.
 */
public interface SeveralLocksCases {
    @Rule(
            says = "An interrupted call for several locks gives back those that it has acquired.",
            because = "Two clients that each keep a part of the same set block each other.")
    default void d8_anInterruptedCallForSeveralLocksKeepsNothing(Scene scene) throws Exception {
        MultiLock locks = several(scene, "B", "1", "2", "3");
        RecordingClaim holder = granted(scene.lasting("A", locks.names().get(2)));
        BackgroundTask<MultiLease> waiting = scene.start("B", locks::acquire);
        scene.await("B has asked for the last", () -> scene.history().tries("B") > 2);
        waiting.thread().interrupt();
        thrown(InterruptedException.class, () -> waiting.get(scene.tolerance()), "an interrupt must end the wait");
        freeWithin(scene, locks.names().get(0), scene.tolerance());
        freeWithin(scene, locks.names().get(1), scene.tolerance());
        that(holder.release(), "the holder must have held");
        freeWithin(scene, locks.names().get(2), scene.tolerance());
    }

    @Rule(
            says =
                    "A call for several locks ends with all of them or with none, and what it ends with is released together.",
            because = "A caller that is told no does not release what it does not know of.")
    default void q1_severalLocksAreAcquiredTogetherOrNotAtAll(Scene scene) throws Exception {
        MultiLock locks = several(scene, "B", "1", "2", "3");
        RecordingClaim holder = granted(scene.lasting("A", locks.names().get(1)));
        that(locks.tryAcquire().isEmpty(), "one of the locks is held by another client");
        that(locks.tryAcquire(scene.brief()).isEmpty(), "one of the locks was held all the time by another client");
        free(scene, locks.names().get(0));
        free(scene, locks.names().get(2));
        that(holder.release(), "the holder must have held");

        Optional<MultiLease> all = locks.tryAcquire(scene.limit());
        that(all.isPresent(), "all locks are free");
        for (String lock : locks.names()) {
            taken(scene, lock);
        }
        that(all.get().release(), "all locks must have been held");
        for (String lock : locks.names()) {
            free(scene, lock);
        }
    }

    @Rule(
            says = "Callers that want the same locks get them one after the other, in whatever order each names them.",
            because = "Each would hold the lock that the other one waits for, and both would wait for ever.")
    default void q2_oppositeOrdersBlockNobody(Scene scene) throws Exception {
        MultiLock forth = several(scene, "A", "1", "2");
        MultiLock back = several(scene, "B", "2", "1");
        that(forth.names().equals(back.names()), "the order is that of the names");
        RecordingClaim holder = granted(scene.lasting("C", forth.names().get(0)));
        List<BackgroundTask<Boolean>> callers =
                List.of(scene.start("A", () -> once(forth)), scene.start("B", () -> once(back)));
        scene.awaitTry("A");
        scene.awaitTry("B");
        free(scene, forth.names().get(1));
        that(holder.release(), "the holder must have held");
        for (BackgroundTask<Boolean> each : callers) {
            that(each.get(scene.limit()), "each caller must have held all of its locks");
        }
    }

    private static boolean once(MultiLock locks) throws InterruptedException {
        MultiLease all = locks.acquire();
        return all.isHeld() && all.release();
    }

    private static MultiLock several(Scene scene, String who, String... names) {
        List<String> locks = new ArrayList<>();
        for (String name : names) {
            locks.add(scene.lock("several-" + name));
        }
        return scene.client(who).multiLock(locks, scene.lastingOptions(who));
    }
}
