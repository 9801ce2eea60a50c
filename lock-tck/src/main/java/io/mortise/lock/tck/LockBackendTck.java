// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.cases.core.AtomicityCases;
import io.mortise.lock.tck.cases.core.ExclusionCases;
import io.mortise.lock.tck.cases.core.HandleCases;
import io.mortise.lock.tck.cases.core.InterruptCases;
import io.mortise.lock.tck.cases.core.LocalQueueCases;
import io.mortise.lock.tck.cases.core.ManyNamesCases;
import io.mortise.lock.tck.cases.core.NameCases;
import io.mortise.lock.tck.cases.core.ReleaseCases;
import io.mortise.lock.tck.cases.core.SeveralLocksCases;
import io.mortise.lock.tck.cases.core.WaitingCases;
import io.mortise.lock.tck.cases.feature.AdminCases;
import io.mortise.lock.tck.cases.feature.FairnessCases;
import io.mortise.lock.tck.cases.feature.FencingCases;
import io.mortise.lock.tck.cases.feature.HolderCases;
import io.mortise.lock.tck.cases.feature.ListingCases;
import io.mortise.lock.tck.cases.feature.ManyWaitersCases;
import io.mortise.lock.tck.cases.feature.QueueCases;
import io.mortise.lock.tck.cases.feature.RegisterCases;
import io.mortise.lock.tck.cases.feature.RevocationCases;
import io.mortise.lock.tck.cases.feature.TokenBlockCases;
import io.mortise.lock.tck.cases.feature.TokenRiseCases;
import io.mortise.lock.tck.cases.lease.BatchCases;
import io.mortise.lock.tck.cases.lease.EndCases;
import io.mortise.lock.tck.cases.lease.LeaseCases;
import io.mortise.lock.tck.cases.lease.LengthCases;
import io.mortise.lock.tck.cases.lease.ListenerCases;
import io.mortise.lock.tck.cases.lease.LossCases;
import io.mortise.lock.tck.cases.lease.RenewalCases;
import io.mortise.lock.tck.cases.network.BadNetworkCases;
import io.mortise.lock.tck.cases.network.BlockedCallCases;
import io.mortise.lock.tck.cases.network.HangingStoreCases;
import io.mortise.lock.tck.cases.network.LateAnswerCases;
import io.mortise.lock.tck.cases.network.PartitionCases;
import io.mortise.lock.tck.cases.network.UnansweredCases;
import io.mortise.lock.tck.cases.process.ClockCases;
import io.mortise.lock.tck.cases.process.PermissionCases;
import io.mortise.lock.tck.cases.process.ProcessCases;
import io.mortise.lock.tck.cases.process.RestartCases;
import io.mortise.lock.tck.fault.Faults;
import io.mortise.lock.tck.fault.Route;
import io.mortise.lock.tck.run.RuleNames;
import io.mortise.lock.tck.run.SceneExtension;
import io.mortise.lock.tck.scene.StoreUnderTest;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The conformance suite of a backend, as a JUnit test class. Extend it, implement two methods and run it: a backend
 * that passes is a correct lock.
 *
 * <p>What a backend declares is what it is tested for; there is nothing else to configure. A test class that also
 * implements {@link Faults} enables the cases that need the store to fail.
 */
@ExtendWith(SceneExtension.class)
@DisplayNameGeneration(RuleNames.class)
@Execution(ExecutionMode.SAME_THREAD)
@SuppressWarnings("exports") // how the suite runs is its own affair
public abstract class LockBackendTck
        implements ExclusionCases,
                NameCases,
                ManyNamesCases,
                WaitingCases,
                HangingStoreCases,
                BlockedCallCases,
                InterruptCases,
                SeveralLocksCases,
                ReleaseCases,
                AtomicityCases,
                RestartCases,
                PermissionCases,
                HandleCases,
                LeaseCases,
                LengthCases,
                EndCases,
                RenewalCases,
                BatchCases,
                LossCases,
                PartitionCases,
                ListenerCases,
                FencingCases,
                TokenBlockCases,
                TokenRiseCases,
                UnansweredCases,
                LateAnswerCases,
                BadNetworkCases,
                QueueCases,
                LocalQueueCases,
                FairnessCases,
                ManyWaitersCases,
                AdminCases,
                HolderCases,
                RevocationCases,
                ListingCases,
                RegisterCases,
                ProcessCases,
                ClockCases,
                StoreUnderTest {
    /** For subclasses. */
    protected LockBackendTck() {}

    /**
     * No test. A runner that knows no JUnit Jupiter, such as a Surefire before 2.22, would report success without having run anything.
     * Such a one takes this for a test if the class is public, and so tells why nothing ran.
     *
     * @throws AssertionError always
     */
    @SuppressWarnings("JUnit4TestNotRun") // JUnit must not run it
    public final void testsRunOnJUnitJupiterOnly() {
        throw new AssertionError(
                "this runner knows no JUnit Jupiter, so it ran no case of the suite; with Maven, set the"
                        + " version of maven-surefire-plugin to 3.0 or later");
    }

    /**
     * The store to test. Asked in the test's JVM only, after {@code @BeforeAll}.
     *
     * @return what {@link #open} understands, such as a URL; the empty string for a store that lives in one JVM
     */
    @Override
    public abstract String store();

    /**
     * Opens a client of the store. Each call gives an independent one. Also called in other JVMs, on an instance of the
     * same class made by its constructor without parameters, without {@code @BeforeAll}.
     *
     * @param store what {@link #store()} or {@link Route#store()} answered
     * @return a new client; the suite closes it
     */
    @Override
    public abstract LockBackend open(String store);

    /**
     * The lease that most cases use. Shorter is faster; too short for the store or the machine fails.
     *
     * @return a second, unless overridden
     */
    @Override
    public Duration lease() {
        return Duration.ofSeconds(1);
    }

    /**
     * For how long the store may keep what a process held or waited for that died, if that is longer than the lease. Those
     * who wait behind dead ones wait no longer, however many there are.
     *
     * @return zero, unless overridden; a store whose clients have sessions answers their time-out
     */
    @Override
    public Duration session() {
        return Duration.ZERO;
    }
}
