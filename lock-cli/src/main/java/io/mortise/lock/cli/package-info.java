// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The {@code mortise} command. */
@NullMarked
package io.mortise.lock.cli;

import org.jspecify.annotations.NullMarked;
