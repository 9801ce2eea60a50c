// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Marks a test class for a variant of a store, such as another topology: it runs only the cases whose result can differ from
 * those of the class that runs the whole suite on the main store. With the system property {@code mortise.full} it runs all.
 *
 * <p>Cases that are left out are reported as skipped, and the account of the class says that a part of the suite ran. Tests that the
 * class adds to the suite always run.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(Variant.Condition.class)
public @interface Variant {
    /**
     * The class that runs the whole suite on the store.
     *
     * @return a test class without this annotation
     */
    Class<?> of();

    /**
     * What to run, as the specification names it: chapters such as {@code "K"} and rules such as {@code "F1"}.
     *
     * @return unless overridden, what depends on how clients reach a store, on which server answers, and on what a restart or a
     *     partition does to it; not what the engine does above any store, or a store inside one call, and not names and lists, which a
     *     store writes and reads in one way
     */
    String[] rules() default {"A", "C", "D", "F1", "G7", "H3", "H4", "H5", "I", "J", "K", "M", "O", "W"};

    /** Leaves out the other cases. */
    final class Condition implements ExecutionCondition {
        private static final Pattern CASE = Pattern.compile("([a-z])\\d+(?=_)");

        /** For JUnit. */
        public Condition() {}

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            Variant variant = AnnotationSupport.findAnnotation(context.getRequiredTestClass(), Variant.class)
                    .orElseThrow();
            Matcher rule =
                    CASE.matcher(context.getTestMethod().map(Method::getName).orElse(""));
            return System.getProperty("mortise.full") != null
                            || !rule.lookingAt()
                            || Stream.of(variant.rules())
                                    .map(each -> each.toLowerCase(Locale.ROOT))
                                    .anyMatch(each -> each.equals(rule.group()) || each.equals(rule.group(1)))
                    ? ConditionEvaluationResult.enabled("the variant can change its result")
                    : ConditionEvaluationResult.disabled(
                            variant.of().getSimpleName() + " runs it; this class only with -Dmortise.full");
        }
    }
}
