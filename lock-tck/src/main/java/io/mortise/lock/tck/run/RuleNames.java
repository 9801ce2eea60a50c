// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.run;

import io.mortise.lock.tck.scene.Rule;
import java.lang.reflect.Method;
import java.util.Locale;
import org.junit.jupiter.api.DisplayNameGenerator;

/** Names a case by its rule: {@code A1: A second client is refused while the lock is held.} */
@SuppressWarnings("deprecation") // the methods that every JUnit from 5.10 on has
public final class RuleNames implements DisplayNameGenerator {
    @Override
    public String generateDisplayNameForClass(Class<?> testClass) {
        return testClass.getName().substring(testClass.getName().lastIndexOf('.') + 1);
    }

    @Override
    public String generateDisplayNameForNestedClass(Class<?> nestedClass) {
        return nestedClass.getSimpleName();
    }

    @Override
    public String generateDisplayNameForMethod(Class<?> testClass, Method testMethod) {
        Rule rule = testMethod.getAnnotation(Rule.class);
        return rule == null
                ? testMethod.getName() + DisplayNameGenerator.parameterTypesAsString(testMethod)
                : numberOf(testMethod) + ": " + rule.says();
    }

    /** The number of the rule that a case proves: what its name begins with. */
    static String numberOf(Method testMethod) {
        return testMethod.getName().split("_", 2)[0].toUpperCase(Locale.ROOT);
    }
}
