// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The way of one call to a lease: its time, its tries, and the pauses between them. */
@NullMarked
package io.mortise.lock.engine.acquisition;

import org.jspecify.annotations.NullMarked;
