// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.rules.AdminRules;
import io.mortise.lock.tck.rules.BadNetworkRules;
import io.mortise.lock.tck.rules.ClockRules;
import io.mortise.lock.tck.rules.ContentionRules;
import io.mortise.lock.tck.rules.CrowdRules;
import io.mortise.lock.tck.rules.ExclusionRules;
import io.mortise.lock.tck.rules.FairnessRules;
import io.mortise.lock.tck.rules.FenceBlockRules;
import io.mortise.lock.tck.rules.FencingRules;
import io.mortise.lock.tck.rules.HandleRules;
import io.mortise.lock.tck.rules.InterruptRules;
import io.mortise.lock.tck.rules.LeaseRules;
import io.mortise.lock.tck.rules.ListenerRules;
import io.mortise.lock.tck.rules.LocalQueueRules;
import io.mortise.lock.tck.rules.LossRules;
import io.mortise.lock.tck.rules.NameRules;
import io.mortise.lock.tck.rules.PartitionRules;
import io.mortise.lock.tck.rules.ProcessRules;
import io.mortise.lock.tck.rules.QueueRules;
import io.mortise.lock.tck.rules.ReleaseRules;
import io.mortise.lock.tck.rules.RenewalRules;
import io.mortise.lock.tck.rules.RestartRules;
import io.mortise.lock.tck.rules.RollingRules;
import io.mortise.lock.tck.rules.SilenceRules;
import io.mortise.lock.tck.rules.UnansweredRules;
import io.mortise.lock.tck.rules.WaitingRules;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The conformance suite of a backend. Extend it in a test, implement two methods, run it: what passes is a right lock.
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
                SilenceRules,
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
                CrowdRules,
                AdminRules,
                ProcessRules,
                ClockRules,
                RollingRules {
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

    /** What the engine is given for a store: a seam for tests of the suite, in which the engine makes mistakes. */
    LockBackend seenByEngine(LockBackend backend) {
        return backend;
    }
}
