// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What the Spring Boot starter sets up: a {@link io.mortise.lock.LockClient} from the properties {@code mortise.*}
 * ({@link io.mortise.lock.spring.boot.MortiseProperties}), its end, its health and its meters. {@code docs/spring-boot.md} leads through it.
 */
@NullMarked
package io.mortise.lock.spring.boot;

import org.jspecify.annotations.NullMarked;
