// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.fault.Faults;
import io.mortise.lock.tck.fault.Route;
import io.mortise.lock.tck.rules.core.ContentionRules;
import io.mortise.lock.tck.rules.core.ExclusionRules;
import io.mortise.lock.tck.rules.core.HandleRules;
import io.mortise.lock.tck.rules.core.InterruptRules;
import io.mortise.lock.tck.rules.core.LocalQueueRules;
import io.mortise.lock.tck.rules.core.NameRules;
import io.mortise.lock.tck.rules.core.ReleaseRules;
import io.mortise.lock.tck.rules.core.WaitingRules;
import io.mortise.lock.tck.rules.feature.AdminRules;
import io.mortise.lock.tck.rules.feature.FairnessRules;
import io.mortise.lock.tck.rules.feature.FenceBlockRules;
import io.mortise.lock.tck.rules.feature.FencingRules;
import io.mortise.lock.tck.rules.feature.ManyWaitersRules;
import io.mortise.lock.tck.rules.feature.QueueRules;
import io.mortise.lock.tck.rules.lease.LeaseRules;
import io.mortise.lock.tck.rules.lease.ListenerRules;
import io.mortise.lock.tck.rules.lease.LossRules;
import io.mortise.lock.tck.rules.lease.RenewalRules;
import io.mortise.lock.tck.rules.network.BadNetworkRules;
import io.mortise.lock.tck.rules.network.HangingStoreRules;
import io.mortise.lock.tck.rules.network.PartitionRules;
import io.mortise.lock.tck.rules.network.UnansweredRules;
import io.mortise.lock.tck.rules.process.ClockRules;
import io.mortise.lock.tck.rules.process.ProcessRules;
import io.mortise.lock.tck.rules.process.RestartRules;
import io.mortise.lock.tck.rules.process.RollingRules;
import io.mortise.lock.tck.run.RuleNames;
import io.mortise.lock.tck.run.SceneExtension;
import io.mortise.lock.tck.scene.StoreUnderTest;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The conformance suite of a backend. Extend it in a test, implement two methods and run it: a backend that
 * passes is a correct lock.
 *
 * <p>What a backend declares is what it is tested for; there is nothing else to configure. A test class that also
 * implements {@link Faults} enables the cases that need the store to fail.
 */
@ExtendWith(SceneExtension.class)
@DisplayNameGeneration(RuleNames.class)
@Execution(ExecutionMode.SAME_THREAD)
@Timeout(180)
@SuppressWarnings("exports") // how the suite runs is its own affair
public abstract class LockBackendTck
        implements ExclusionRules,
                ContentionRules,
                NameRules,
                WaitingRules,
                HangingStoreRules,
                InterruptRules,
                ReleaseRules,
                RestartRules,
                HandleRules,
                LeaseRules,
                RenewalRules,
                LossRules,
                PartitionRules,
                ListenerRules,
                FencingRules,
                FenceBlockRules,
                UnansweredRules,
                BadNetworkRules,
                QueueRules,
                LocalQueueRules,
                FairnessRules,
                ManyWaitersRules,
                AdminRules,
                ProcessRules,
                ClockRules,
                RollingRules,
                StoreUnderTest.Source {
    /** For subclasses. */
    protected LockBackendTck() {}

    /**
     * The store to test. Asked in the test's JVM only, after {@code @BeforeAll}.
     *
     * @return what {@link #open} understands, such as a URL; the empty string for a store that lives in one JVM
     */
    protected abstract String store();

    /**
     * Opens a client of the store. Each call gives an independent one. Also called in other JVMs, on an instance of the
     * same class made by its constructor without parameters, without {@code @BeforeAll}.
     *
     * @param store what {@link #store()} or {@link Route#store()} answered
     * @return a new client; the suite closes it
     */
    protected abstract LockBackend open(String store);

    /**
     * The lease that most cases use. Shorter is faster; too short for the store or the machine fails.
     *
     * @return a second, unless overridden
     */
    protected Duration lease() {
        return Duration.ofSeconds(1);
    }

    /**
     * For how long the store may keep what a process held or waited for that died, if that is longer than the lease. Those
     * who wait behind dead ones wait no longer, however many there are.
     *
     * @return zero, unless overridden; a store whose clients have sessions answers their time-out
     */
    protected Duration session() {
        return Duration.ZERO;
    }

    /** The backend that the engine gets. Tests of the suite replace it, so that the engine makes mistakes. */
    LockBackend seenByEngine(LockBackend backend) {
        return backend;
    }

    @Override
    public final StoreUnderTest storeUnderTest() {
        LockBackendTck tck = this;
        return new StoreUnderTest() {
            @Override
            public String store() {
                return tck.store();
            }

            @Override
            public LockBackend open(String store) {
                return tck.open(store);
            }

            @Override
            public Duration lease() {
                return tck.lease();
            }

            @Override
            public Duration session() {
                return tck.session();
            }

            @Override
            public Optional<Faults> faults() {
                return tck instanceof Faults faults ? Optional.of(faults) : Optional.empty();
            }

            @Override
            public LockBackend seenByEngine(LockBackend backend) {
                return tck.seenByEngine(backend);
            }

            @Override
            public Class<?> testClass() {
                return tck.getClass();
            }
        };
    }
}
