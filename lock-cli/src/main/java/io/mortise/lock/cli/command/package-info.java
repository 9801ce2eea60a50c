// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The sub-commands {@code run}, {@code ls}, {@code show} and {@code revoke}. */
@NullMarked
package io.mortise.lock.cli.command;

import org.jspecify.annotations.NullMarked;
