// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Locks of <a href="https://spring.io/projects/spring-integration">Spring Integration</a>:
 * {@link io.mortise.lock.spring.integration.MortiseLockRegistry} is the registry that its endpoints and its leader election use.
 */
@NullMarked
package io.mortise.lock.spring.integration;

import org.jspecify.annotations.NullMarked;
