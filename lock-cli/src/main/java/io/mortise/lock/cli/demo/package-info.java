// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** {@code mortise demo coupons}: several processes sell the last coupons, with and without a lock. */
@NullMarked
package io.mortise.lock.cli.demo;

import org.jspecify.annotations.NullMarked;
