// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The processes that use locks while faults happen, and tell what they see. */
@NullMarked
package io.mortise.lock.faults.worker;

import org.jspecify.annotations.NullMarked;
