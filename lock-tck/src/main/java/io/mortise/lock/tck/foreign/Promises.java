// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.foreign;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Marks a test class for a lock of another library: of the suite it runs the cases of what the library promises. The others do not apply,
 * and are reported as skipped.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(Promises.Condition.class)
public @interface Promises {
    /**
     * What the library promises.
     *
     * @return by its own documentation
     */
    Promise[] value();

    /** Leaves out the other cases. */
    final class Condition implements ExecutionCondition {
        /** For JUnit. */
        public Condition() {}

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            Promises promises = AnnotationSupport.findAnnotation(context.getRequiredTestClass(), Promises.class)
                    .orElseThrow();
            String name = context.getTestMethod()
                    .map(java.lang.reflect.Method::getName)
                    .orElse("");
            boolean isCase = name.matches("[a-z]\\d+_.*");
            return !isCase
                            || Arrays.stream(promises.value())
                                    .anyMatch(promise -> promise.cases().contains(name))
                    ? ConditionEvaluationResult.enabled("the library promises it")
                    : ConditionEvaluationResult.disabled("the library does not promise it");
        }
    }
}
