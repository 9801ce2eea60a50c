// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.run;

import io.mortise.lock.tck.scene.Rule;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Disabled;

/**
 * Finds the cases that a test class inherits from the interfaces of cases, and those that the class has removed.
 */
final class Cases {
    private Cases() {}

    /** All cases of the rule interfaces that a class implements, as the interfaces declare them. */
    static List<Method> of(Class<?> testClass) {
        List<Method> cases = new ArrayList<>();
        for (Class<?> type = testClass; type != null; type = type.getSuperclass()) {
            for (Class<?> group : type.getInterfaces()) {
                for (Method method : group.getDeclaredMethods()) {
                    if (method.isAnnotationPresent(Rule.class)) {
                        cases.add(method);
                    }
                }
            }
        }
        cases.sort(Comparator.comparing(Method::getName));
        return cases;
    }

    /** Those that the class overrides with something that is not a case, or disables. */
    static List<String> removed(Class<?> testClass) {
        List<String> removed = new ArrayList<>();
        for (Method method : of(testClass)) {
            try {
                Method actual = testClass.getMethod(method.getName(), method.getParameterTypes());
                if (!actual.isAnnotationPresent(Rule.class) || actual.isAnnotationPresent(Disabled.class)) {
                    removed.add(method.getName());
                }
            } catch (NoSuchMethodException impossible) {
                throw new AssertionError(impossible);
            }
        }
        return removed;
    }
}
