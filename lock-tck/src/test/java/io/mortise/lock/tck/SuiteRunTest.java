// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SuiteRunTest {
    @Test
    void itTellsWhichCasesPassed() {
        assertThat(SuiteRun.of(KitTest.class, List.of("a1_secondClientIsRefusedWhileHeld")))
                .satisfies(run -> assertThat(run.passed()).containsExactly("a1_secondClientIsRefusedWhileHeld"))
                .satisfies(run -> assertThat(run.failures()).isEmpty());
    }

    @Test
    void aCaseThatDoesNotExistIsAFailure() {
        assertThat(SuiteRun.of(KitTest.class, List.of("a1_noSuchCase"))
                        .failures()
                        .values())
                .anySatisfy(message -> assertThat(message).isNotEmpty());
    }
}
