// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Cases about the features that a backend may declare: fencing, notification, fairness, admin (I, K and R of
 * {@code docs/SPEC.md}).
 */
@NullMarked
package io.mortise.lock.tck.cases.feature;

import org.jspecify.annotations.NullMarked;
