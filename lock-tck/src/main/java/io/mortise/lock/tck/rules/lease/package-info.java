// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Rules of leases: their length, renewal and loss (F, G and H of {@code docs/SPEC.md}). */
@NullMarked
package io.mortise.lock.tck.rules.lease;

import org.jspecify.annotations.NullMarked;
