// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The {@code mortise} command. {@link io.mortise.lock.cli.Main} starts it; the packages {@code command} and {@code demo} have
 * a class for each sub-command, and {@code guard} keeps a command from running without its lock. Not an API: only the command
 * line is stable.
 */
@NullMarked
package io.mortise.lock.cli;

import org.jspecify.annotations.NullMarked;
