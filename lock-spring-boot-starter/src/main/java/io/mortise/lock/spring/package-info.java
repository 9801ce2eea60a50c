// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Locks of Spring beans: methods that run under a lock ({@link io.mortise.lock.spring.Locked}), and jobs that one process of a fleet
 * runs at a time ({@link io.mortise.lock.spring.LockedJob}). {@code docs/spring-boot.md} begins with an example.
 */
@NullMarked
package io.mortise.lock.spring;

import org.jspecify.annotations.NullMarked;
