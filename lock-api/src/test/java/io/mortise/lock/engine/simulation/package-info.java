// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The engine in virtual time: one number decides what happens when, so that each run can be repeated. */
@NullMarked
package io.mortise.lock.engine.simulation;

import org.jspecify.annotations.NullMarked;
