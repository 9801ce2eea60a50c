// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.run;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.history.RecordingClaim;
import io.mortise.lock.tck.process.ChildJvm;
import io.mortise.lock.tck.scene.BackendDeclaration;
import io.mortise.lock.tck.scene.Scene;
import io.mortise.lock.tck.scene.SetUpFailure;
import io.mortise.lock.tck.scene.StoreUnderTest;
import io.mortise.lock.tck.time.Timing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/**
 * What a run of the suite knows of its store: what the backend declares, how fast the store answers, and whether it is there.
 * A store that is not there when the first case begins, or is gone later, breaks no rule.
 */
final class StoreLook {
    private static final Duration LONGEST_LOOK = Duration.ofMinutes(2);
    private static final int TRIES = 3;

    private String store = "";
    private @Nullable BackendDeclaration declared;
    private @Nullable Timing timing;
    private @Nullable SetUpFailure trouble;
    private @Nullable SetUpFailure gone;

    /**
     * A scene for one case. The first looks at the backend: what it declares, how fast it answers.
     *
     * @throws SetUpFailure if the store is not there
     */
    synchronized Scene scene(StoreUnderTest tested) throws InterruptedException {
        if (trouble != null) {
            throw new SetUpFailure(String.valueOf(trouble.getMessage()), trouble);
        }
        if (timing == null) {
            try {
                look(tested);
            } catch (TestAbortedException skips) {
                throw skips;
            } catch (RuntimeException | LinkageError failure) {
                trouble = new SetUpFailure(
                        "set-up trouble, so no rule was tested: the store could not be opened, or did not answer a first try: "
                                + failure + ". See that the store is there, and that store() and open() name it",
                        failure);
                throw trouble;
            }
        }
        Scene scene = new Scene(tested, Objects.requireNonNull(timing), store, declared());
        if (gone != null) {
            if (unanswered(scene.again(1)).isPresent()) {
                throw new SetUpFailure("set-up trouble: " + gone.getMessage(), gone);
            }
            gone = null;
        }
        return scene;
    }

    private void look(StoreUnderTest tested) {
        store = tested.store();
        try (LockBackend backend = tested.open(store)) {
            declared = BackendDeclaration.by(backend);
            Scene scene = new Scene(tested, Timing.measured(Duration.ZERO), store, declared);
            if (!declared.bounds().allow(scene.lease())) {
                throw new AssertionError("lease() must be one that the store can honour, not " + scene.lease());
            }
            timing = Timing.measured(roundTrip(scene.recorded("warm-up", backend), scene));
        }
    }

    BackendDeclaration declared() {
        return Objects.requireNonNull(declared);
    }

    /** What the backend declares, if the store answered when the first case began. */
    synchronized Optional<BackendDeclaration> seen() {
        return timing == null ? Optional.empty() : Optional.of(declared());
    }

    /**
     * Whether the store has gone since the first case began: it answers neither a new client here, nor one in another JVM, whose
     * classes no case has brought into disorder.
     *
     * @param last in which a case has failed, and everything is closed
     */
    synchronized Optional<SetUpFailure> gone(Scene last) throws InterruptedException {
        if (!ChildJvm.canOpen(last)) {
            return Optional.empty();
        }
        Optional<RuntimeException> why = unanswered(last.again(1));
        if (why.isEmpty() || isThereForOthers(last.again(1))) {
            return Optional.empty();
        }
        gone = new SetUpFailure(
                "the store was there when the first case began, and answers nobody now: " + why.get()
                        + ". See why its server has ended. If it always ends in the same case, the backend may end it",
                why.get());
        return Optional.of(gone);
    }

    /** Why no new client is answered; empty if one is. A call that does not end tells nothing of the store. */
    private static Optional<RuntimeException> unanswered(Scene scene) throws InterruptedException {
        List<RuntimeException> failures = new ArrayList<>();
        try {
            CaseThread.perform("tck look at the store", LONGEST_LOOK, () -> {
                boolean answered = false;
                while (!answered && failures.size() < TRIES) {
                    try {
                        answered = isAnswered(scene);
                    } catch (RuntimeException failure) {
                        failures.add(failure);
                    }
                }
                if (answered) {
                    failures.clear();
                }
            });
        } catch (InterruptedException interrupt) {
            throw interrupt;
        } catch (Throwable neverEnded) {
            return Optional.empty();
        }
        return failures.stream().findFirst();
    }

    /** A client that answers anything but that there is no answer has a store. */
    private static boolean isAnswered(Scene scene) {
        try (LockBackend backend = scene.tested().open(scene.store())) {
            RecordingClaim claim = scene.claim(backend, scene.request(scene.lock("look"), "look"));
            try {
                claim.tryAcquire();
                claim.release();
            } catch (BackendException none) {
                throw none;
            } catch (RuntimeException answer) {
                return true;
            }
            return true;
        }
    }

    private static boolean isThereForOthers(Scene scene) throws InterruptedException {
        try {
            ChildJvm other = ChildJvm.start(scene, scene.lock("look"), "once");
            scene.await(
                    "a store that is there answers",
                    scene.limit().plusSeconds(20),
                    () -> other.count("DONE") > 0 || other.count("TROUBLE") >= TRIES);
            return other.count("DONE") > 0;
        } catch (IOException noProcess) {
            throw new UncheckedIOException(noProcess);
        } catch (AssertionError unanswered) {
            return false;
        } finally {
            scene.resources().close();
        }
    }

    /**
     * How long one question to the store takes: the median of five, after one to warm up, so that a stall does not count, even
     * if the store gave no answer.
     */
    private static Duration roundTrip(LockBackend backend, Scene scene) {
        List<Duration> taken = new ArrayList<>();
        int unanswered = 0;
        for (int i = 0; i < 6; i++) {
            RecordingClaim claim = scene.claim(backend, scene.request(scene.lock("warm-up-" + i), "warm-up"));
            long start = System.nanoTime();
            try {
                claim.tryAcquire();
                claim.release();
            } catch (BackendException none) {
                unanswered++;
                if (unanswered > 2) {
                    throw none;
                }
            }
            taken.add(Duration.ofNanos((System.nanoTime() - start) / 2));
        }
        return taken.stream().skip(1).sorted().skip(2).findFirst().orElseThrow();
    }
}
