// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.test.context.TestPropertySource;

/**
 * Gives a test locks in memory instead of a server's, also a test of a slice such as {@code @WebMvcTest} or {@code @DataJpaTest}. Needs
 * {@code spring-test}, as such tests do.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ImportAutoConfiguration(MortiseAutoConfiguration.class)
@TestPropertySource(properties = "mortise.store=memory:")
public @interface AutoConfigureLocks {}
