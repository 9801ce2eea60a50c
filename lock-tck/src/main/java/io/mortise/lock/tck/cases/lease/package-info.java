// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Cases about leases: their length, renewal and loss (F, G and H of {@code docs/SPEC.md}). */
@NullMarked
package io.mortise.lock.tck.cases.lease;

import org.jspecify.annotations.NullMarked;
