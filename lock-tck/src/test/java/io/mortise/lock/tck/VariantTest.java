// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.Events;

class VariantTest {
    private static final String FULL = "mortise.full";

    private final String before = System.getProperty(FULL, "");

    @Variant(
            of = KitTest.class,
            rules = {"C", "F1"})
    static class Sample {
        @Test
        void c2_ofAChapter() {}

        @Test
        void f1_ofARule() {}

        @Test
        void f10_ofARuleThatBeginsAlike() {}

        @Test
        void g1_ofAnotherChapter() {}

        @Test
        void aTestOfItsOwn() {}
    }

    @BeforeEach
    void setNothing() {
        System.clearProperty(FULL);
    }

    @AfterEach
    void setWhatWasSet() {
        System.clearProperty(FULL);
        if (!before.isEmpty()) {
            System.setProperty(FULL, before);
        }
    }

    @Test
    void aVariantRunsItsRulesAndItsOwnTests() {
        Events tests = run();

        assertThat(names(tests.succeeded()))
                .containsExactlyInAnyOrder("c2_ofAChapter()", "f1_ofARule()", "aTestOfItsOwn()");
        assertThat(names(tests.skipped()))
                .containsExactlyInAnyOrder("f10_ofARuleThatBeginsAlike()", "g1_ofAnotherChapter()");
    }

    @Test
    void inAFullRunAVariantRunsAll() {
        System.setProperty(FULL, "true");

        assertThat(names(run().succeeded())).hasSize(5);
    }

    private static Events run() {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(Sample.class))
                .execute()
                .testEvents();
    }

    private static List<String> names(Events events) {
        return events.stream()
                .map(Event::getTestDescriptor)
                .map(test -> test.getDisplayName())
                .toList();
    }
}
