// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A fault can be found from the report of its failure. */
class FailureReportTest {
    private static final String CASE = "a1_secondClientIsRefusedWhileHeld";

    /** Refuses those who check at the end whether all is free. */
    static final class TakenAtTheEnd extends LockBackendTck {
        private static final MemoryStore STORE = MemoryStore.named("taken-at-the-end");

        @Override
        public String store() {
            return "";
        }

        @Override
        public LockBackend open(String store) {
            return new ForwardingBackend(new MemoryBackend(STORE)) {
                @Override
                public Claim claim(ClaimRequest request, Runnable nudge) {
                    return new ForwardingClaim(super.claim(request, nudge)) {
                        @Override
                        public boolean tryAcquire(Duration atMost) throws InterruptedException {
                            return !request.label().equals("end") && super.tryAcquire(atMost);
                        }
                    };
                }
            };
        }

        @Override
        public Duration lease() {
            return Duration.ofMillis(200);
        }
    }

    @Test
    void aCheckAtTheEndHasARuleOfItsOwnAndTheBeginningIsThere() {
        SuiteRun run = SuiteRun.of(TakenAtTheEnd.class, List.of(CASE));
        Map<String, String> failures = run.failures();

        assertThat(failures).containsOnlyKeys(CASE);
        assertThat(failures.get(CASE))
                .startsWith("V5 is broken. After every case, ")
                .contains("\n  Found at the end of A1: ")
                .contains("a lock that everybody has released is free")
                .containsPattern("A#1 +try +L1 +yes")
                .containsPattern("… \\d+ more tries of end#\\d+, all no, until \\+\\d+\\.\\d ms");
        assertThat(run.caughtBy(CASE)).isEqualTo(failures.get(CASE));
    }
}
