// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Meters of locks for Micrometer: {@link io.mortise.lock.micrometer.LockMetrics} is a listener that a client is given.
 * {@code docs/operating.md} lists the meters, and what to alert on.
 */
@NullMarked
package io.mortise.lock.micrometer;

import org.jspecify.annotations.NullMarked;
