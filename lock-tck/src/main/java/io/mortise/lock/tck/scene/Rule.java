// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.scene;

import io.mortise.lock.spi.Feature;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;

/**
 * Marks a method as a case of the suite: a test that proves one numbered rule of {@code docs/SPEC.md}. The name of the
 * method begins with the number of the rule and an underscore, such as {@code a1_}.
 */
@Test
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Rule {
    /** What must be so. */
    String says();

    /** What happens to users when it is not so. */
    String because();

    /** Features that must all be declared for the case to apply. */
    Feature[] needs() default {};

    /** Features none of which may be declared, because the case checks how they are absent. */
    Feature[] absent() default {};
}
