// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is not there breaks no rule. */
class SetUpTroubleTest {
    private static final List<String> CASES = List.of(
            "a1_secondClientIsRefusedWhileHeld",
            "a1_secondClaimOfTheSameClientIsRefused",
            "e3_releasingAgainIsHarmless");
    /** The first look takes six tries, and a case two to five. */
    private static final int IN_SECOND_CASE = 12;

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

    /** Its store is in files, and a file says that it has ended. */
    abstract static class FilesTck extends LockBackendTck {
        @TempDir
        static Path directory;

        private static final AtomicInteger TRIES = new AtomicInteger();
        private static boolean isChild = true;

        @Override
        public String store() {
            isChild = false;
            TRIES.set(0);
            return directory.toString();
        }

        @Override
        public LockBackend open(String store) {
            Path ended = Path.of(store, "ended");
            return new ForwardingBackend(new FileBackend(Path.of(store), FileBackend.Kind.FENCED)) {
                @Override
                public Claim claim(ClaimRequest request, Runnable nudge) {
                    return new ForwardingClaim(super.claim(request, nudge)) {
                        @Override
                        public boolean tryAcquire(Duration atMost) throws InterruptedException {
                            if (!isChild) {
                                try {
                                    beforeTry(TRIES.incrementAndGet(), ended);
                                } catch (IOException failure) {
                                    throw new UncheckedIOException(failure);
                                }
                            }
                            if (Files.exists(ended)) {
                                throw noAnswer();
                            }
                            return super.tryAcquire(atMost);
                        }
                    };
                }
            };
        }

        static BackendException noAnswer() {
            return new BackendException("the connection was reset", null);
        }

        /** Before each try of the suite's own JVM, counted from one. */
        abstract void beforeTry(int number, Path ended) throws IOException;
    }

    /** The store ends in the second case, for all JVMs. */
    static class EndsTck extends FilesTck {
        @Override
        void beforeTry(int number, Path ended) throws IOException {
            if (number == IN_SECOND_CASE) {
                Files.createFile(ended);
            }
        }
    }

    /** As {@link EndsTck}, and it is there again when the third case begins. */
    static final class ReturnsTck extends EndsTck {
        @Override
        void beforeTry(int number, Path ended) throws IOException {
            super.beforeTry(number, ended);
            if (number == IN_SECOND_CASE + 4) {
                Files.delete(ended);
            }
        }
    }

    /** Not the store has ended: the clients of one JVM answer no more. */
    static final class ConfusedTck extends FilesTck {
        @Override
        void beforeTry(int number, Path ended) {
            if (number >= IN_SECOND_CASE) {
                throw noAnswer();
            }
        }
    }

    @Test
    void aStoreThatEndsBreaksNoRule() {
        SuiteRun run = SuiteRun.of(EndsTck.class, CASES);

        assertThat(run.passed()).hasSize(1);
        assertThat(run.failures()).hasSize(2);
        assertThat(run.failures().values()).allSatisfy(message -> assertThat(message)
                .startsWith("set-up trouble")
                .contains(
                        "the store was there when the first case began, and answers nobody now",
                        "the connection was reset",
                        "See why its server has ended")
                .doesNotContain("is broken"));
        assertThat(run.failures().values())
                .anySatisfy(message -> assertThat(message).contains("was not tested", "Time line:"));
    }

    @Test
    void aStoreThatReturnsIsTestedAgain() {
        SuiteRun run = SuiteRun.of(ReturnsTck.class, CASES);

        assertThat(run.passed()).hasSize(2);
        assertThat(run.failures().values()).singleElement().asString().startsWith("set-up trouble, so ");
    }

    @Test
    void clientsThatAnswerNoMoreBreakARuleIfTheStoreIsThere() {
        SuiteRun run = SuiteRun.of(ConfusedTck.class, CASES);

        assertThat(run.passed()).hasSize(1);
        assertThat(run.failures()).hasSize(2);
        assertThat(run.failures().values())
                .allSatisfy(message -> assertThat(message).contains(" is broken. ", "the connection was reset"));
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
