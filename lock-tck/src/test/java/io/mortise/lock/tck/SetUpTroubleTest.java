// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.LockBackend;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is not there breaks no rule. */
class SetUpTroubleTest {
    private static final AtomicInteger OPENED = new AtomicInteger();

    static final class NoServerTck extends LockBackendTck {
        @Override
        public String store() {
            return "nowhere:1";
        }

        @Override
        public LockBackend open(String store) {
            OPENED.incrementAndGet();
            throw new BackendException("the connection to nowhere:1 failed: Connection refused", null);
        }
    }

    /** Its children find no store, as those of a wrong class path. */
    static class NoChildTck extends LockBackendTck {
        private static boolean here;

        @Override
        public String store() {
            here = true;
            return "here";
        }

        @Override
        public LockBackend open(String store) {
            if (!here) {
                throw new NoClassDefFoundError("org/example/Driver");
            }
            return new MemoryBackend(MemoryStore.named("here"));
        }
    }

    @Test
    void aStoreThatIsNotThereIsToldAndAskedOnce() {
        SuiteRun run = SuiteRun.of(
                NoServerTck.class, List.of("a1_secondClientIsRefusedWhileHeld", "e3_releasingAgainIsHarmless"));

        assertThat(run.passed()).isEmpty();
        assertThat(run.failures()).hasSize(2);
        assertThat(run.failures().values()).allSatisfy(message -> assertThat(message)
                .startsWith("set-up trouble, so no rule was tested: the store could not be opened")
                .contains("nowhere:1 failed: Connection refused", "See that the store is there")
                .doesNotContain("is broken"));
        assertThat(OPENED).hasValue(1);
    }

    @Test
    void aChildThatCannotLoadItsClassesBreaksNoRule() {
        SuiteRun run = SuiteRun.of(NoChildTck.class, List.of("m1_aKilledHoldersLockIsFreed"));

        assertThat(run.failures().get("m1_aKilledHoldersLockIsFreed"))
                .startsWith("set-up trouble, so M1 was not tested: a child JVM did not open the store.")
                .contains("NoClassDefFoundError: org/example/Driver")
                .doesNotContain("is broken");
    }

    @Test
    void aRunnerWithoutJUnitJupiterIsToldSo() {
        assertThatThrownBy(new KitTest()::testsRunOnJUnitJupiterOnly)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("maven-surefire-plugin");
    }
}
