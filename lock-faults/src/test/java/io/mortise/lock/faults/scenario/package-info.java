// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The stores, the faults that each of them can have, and what its page promises in them. */
@NullMarked
package io.mortise.lock.faults.scenario;

import org.jspecify.annotations.NullMarked;
