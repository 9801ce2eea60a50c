// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.WrongEnginesAreCaughtTest;
import io.mortise.lock.tck.scene.Rule;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.CsvSource;

/** A rule that has never caught anything may be one that cannot: each has caught a lock that breaks it. */
class EachRuleHasCaughtTest {
    @Test
    void eachRuleHasCaughtAWrongLock() {
        Set<String> rules = Arrays.stream(LockBackendTck.class.getMethods())
                .filter(method -> method.isAnnotationPresent(Rule.class))
                .map(method -> GalleryTest.rule(method.getName()))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(rules).hasSizeGreaterThan(100);
        Stream<String> caught = Stream.of(
                        WrongLock.ALL.stream().flatMap(lock -> lock.caughtBy().stream()),
                        ChangedEngine.ALL.stream().map(ChangedEngine::caughtBy),
                        inTables(WrongEnginesAreCaughtTest.class),
                        inTables(WrongProcessesAreCaughtTest.class))
                .flatMap(cases -> cases);

        caught.map(GalleryTest::rule).forEach(rules::remove);

        assertThat(rules).as("rules that have caught nothing").isEmpty();
    }

    /** The cases that the tables of a test name, in their second column. */
    private static Stream<String> inTables(Class<?> test) {
        return Arrays.stream(test.getDeclaredMethods())
                .map((Method method) -> method.getAnnotation(CsvSource.class))
                .filter(table -> table != null)
                .flatMap(table -> Arrays.stream(table.value()))
                .map(row -> row.split(", ", 3)[1]);
    }
}
