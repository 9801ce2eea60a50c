// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.tck.SuiteRun;
import io.mortise.lock.tck.time.StallMeter;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A stall of the machine makes no right lock fail and no wrong lock pass. */
class StallsTest {
    private static final String KEPT = "g1_heldForFiveLeases";
    private static final String REFUSED = "a1_secondClientIsRefusedWhileHeld";

    /** A store that stands still in the first performances of a case for longer than their leases last, and then never. */
    private static class Stalling extends TinyStore {
        private final int performances;
        private final Set<String> scenes = new ConcurrentSkipListSet<>();

        Stalling(int performances) {
            this.performances = performances;
        }

        boolean standsStill(TinyClaim claim) {
            String name = claim.request.lock();
            scenes.add(name.substring(0, "tck-12345678-".length()));
            int warmUps = 1;
            return scenes.size() <= warmUps + performances;
        }

        @Override
        boolean renew(TinyClaim claim) {
            if (standsStill(claim)) {
                TinyBackend.pause(2 * claim.request.lease().toMillis());
            }
            return super.renew(claim);
        }

        @Override
        boolean tryAcquire(TinyClaim claim) {
            standsStill(claim);
            return super.tryAcquire(claim);
        }
    }

    @Test
    void aRightLockIsMeasuredAgain() {
        Stalling store = new Stalling(1);

        assertThat(run(store, KEPT).failures()).isEmpty();
        assertThat(store.scenes).as("the warm-up and two performances").hasSizeBetween(3, 4);
    }

    /** A lock that is free too early looks right to those who slept until it was late. */
    @Test
    void aCaseThatPassesWhileThisProcessStandsStillIsRunAgain() {
        AtomicBoolean stood = new AtomicBoolean();
        Stalling store = new Stalling(0) {
            @Override
            boolean tryAcquire(TinyClaim claim) {
                if (!standsStill(claim) && stood.compareAndSet(false, true)) {
                    standStill(WrongLockTck.LEASE);
                }
                return super.tryAcquire(claim);
            }
        };

        assertThat(run(store, REFUSED).failures()).isEmpty();
        assertThat(store.scenes).as("the warm-up and two performances").hasSizeBetween(3, 4);
    }

    /** F6 opens its second client while a lease runs that must not end meanwhile. */
    @Test
    void aClientThatOpensSlowlyAmidACaseFailsNoRightLock() {
        AtomicBoolean slow = new AtomicBoolean();
        AtomicBoolean granted = new AtomicBoolean();
        Stalling store = new Stalling(0) {
            @Override
            boolean tryAcquire(TinyClaim claim) {
                granted.compareAndSet(false, !standsStill(claim));
                return super.tryAcquire(claim);
            }

            @Override
            void beforeOpening() {
                if (granted.get() && slow.compareAndSet(false, true)) {
                    TinyBackend.pause(3 * WrongLockTck.LEASE.toMillis());
                }
            }
        };

        assertThat(run(store, "f6_leasesOfOneNameDoNotMix").failures()).isEmpty();
        assertThat(store.scenes).as("the warm-up and two performances").hasSizeBetween(3, 4);
    }

    /** Lets the operating system stop this process, and go on after a while. */
    private static void standStill(Duration duration) {
        String script = "kill -STOP $PPID; sleep %d.%03d; kill -CONT $PPID"
                .formatted(duration.toSeconds(), duration.toMillisPart());
        try {
            assertThat(new ProcessBuilder("sh", "-c", script)
                            .inheritIO()
                            .start()
                            .waitFor())
                    .isZero();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aRightLockIsMeasuredAThirdTimeIfThereWasAStallAgain() {
        Stalling store = new Stalling(2);

        assertThat(run(store, KEPT).failures()).isEmpty();
        assertThat(store.scenes).as("the warm-up and three performances").hasSize(4);
    }

    @Test
    void theThirdPerformanceCounts() {
        Stalling store = new Stalling(3);

        assertThat(run(store, KEPT).failures()).containsOnlyKeys(KEPT);
        assertThat(store.scenes).as("the warm-up and three performances").hasSize(4);
    }

    /** A host that is busy when the suite begins makes the round trip look long. */
    @Test
    void slowAnswersAtTheStartHideNoStall() {
        Stalling store = new Stalling(1) {
            @Override
            boolean tryAcquire(TinyClaim claim) {
                if (claim.request.lock().contains("warm-up")) {
                    TinyBackend.pause(2 * WrongLockTck.LEASE.toMillis());
                }
                return super.tryAcquire(claim);
            }
        };

        assertThat(run(store, KEPT).failures()).isEmpty();
        assertThat(store.scenes).as("the warm-up and two performances").hasSizeBetween(3, 4);
    }

    /** Single threads can stand still there, and nothing measures that. */
    @Test
    void aFailureOnACrowdedMachineIsMeasuredAgain() {
        try {
            System.setProperty(StallMeter.CROWD, "1000000");
            await("a run in which nothing stood still")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> run(new Refusing(1), KEPT).failures().keySet().equals(Set.of(KEPT)));
            System.setProperty(StallMeter.CROWD, "0");
            assertThat(run(new Refusing(1), KEPT).failures()).isEmpty();
            assertThat(run(new Refusing(3), KEPT).failures().get(KEPT)).contains("set-up trouble", "too busy");
        } finally {
            System.clearProperty(StallMeter.CROWD);
        }
    }

    /** Renews nothing in its first performances of a case. */
    private static final class Refusing extends Stalling {
        Refusing(int performances) {
            super(performances);
        }

        @Override
        boolean renew(TinyClaim claim) {
            return !standsStill(claim) && super.renew(claim);
        }
    }

    /** Refuses to answer the first questions of the suite, which measure the round trip. */
    private static TinyStore silentAtFirst(int questions) {
        AtomicInteger left = new AtomicInteger(questions);
        return new TinyStore() {
            @Override
            boolean tryAcquire(TinyClaim claim) {
                if (left.getAndDecrement() > 0) {
                    throw new BackendException("no answer", null);
                }
                return super.tryAcquire(claim);
            }
        };
    }

    @Test
    void aFewAnswersThatAreMissingAtTheStartFailNoCase() {
        assertThat(run(silentAtFirst(2), KEPT).failures()).isEmpty();
        assertThat(run(silentAtFirst(3), KEPT).failures()).containsOnlyKeys(KEPT);
    }

    /** Three servers of an ensemble, one after the other, may need longer than the lease. */
    @Test
    void aPermissionThatIsWithdrawnForLongerThanTheLeaseBlamesNoHolder() {
        TinyStore slow = new TinyStore() {
            @Override
            void refuse(boolean refusing) {
                super.refuse(refusing);
                if (refusing) {
                    TinyBackend.pause(4 * WrongLockTck.LEASE.toMillis());
                }
            }
        };

        SuiteRun holder = run(slow, "o9_aHolderWithoutPermissionIsToldAtTheEndOfItsLease");
        SuiteRun release = run(slow, "o9_aReleaseWithoutPermissionSaysSo");

        assertThat(holder.failures()).isEmpty();
        assertThat(holder.skipped()).isEmpty();
        assertThat(release.failures()).isEmpty();
        assertThat(release.skipped()).containsExactly("o9_aReleaseWithoutPermissionSaysSo");
    }

    @Test
    void aRestartThatOutlastsTheLeaseProvesNothing() {
        TinyStore slow = new TinyStore() {
            @Override
            synchronized void restartEmpty() {
                super.restartEmpty();
                TinyBackend.pause(11 * WrongLockTck.LEASE.toMillis());
            }
        };

        SuiteRun run = run(slow, "o2_aRestartThatLosesDataIsALoss");

        assertThat(run.failures()).isEmpty();
        assertThat(run.skipped()).containsExactly("o2_aRestartThatLosesDataIsALoss");
    }

    @Test
    void aWrongLockFailsAgain() {
        Stalling wrong = new Stalling(1) {
            @Override
            void extend(Entry entry, TinyClaim claim) {
                if (entry.until == 0) {
                    super.extend(entry, claim);
                }
            }
        };

        assertThat(run(wrong, KEPT).failures()).containsOnlyKeys(KEPT);
        assertThat(wrong.scenes).hasSizeBetween(3, 4);
    }

    @Test
    void twoHoldersAreNeverExcused() {
        Stalling wrong = new Stalling(1) {
            @Override
            boolean tryAcquire(TinyClaim claim) {
                if (standsStill(claim)) {
                    TinyBackend.pause(WrongLockTck.LEASE.toMillis());
                    grant(claim);
                    return true;
                }
                return super.tryAcquire(claim);
            }
        };

        assertThat(run(wrong, REFUSED).failures()).containsOnlyKeys(REFUSED);
        assertThat(wrong.scenes).hasSize(2);
    }

    private static SuiteRun run(TinyStore store, String name) {
        return WrongLockTck.run(store, WrongLockTck.LEASE, List.of(name));
    }
}
