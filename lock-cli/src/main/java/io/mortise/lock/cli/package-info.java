// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The {@code mortise} command. {@link io.mortise.lock.cli.Main} starts it; each sub-command is a class named after it;
 * {@link io.mortise.lock.cli.ExitCode} lists how it may end. Not an API: only the command line is stable.
 */
@NullMarked
package io.mortise.lock.cli;

import org.jspecify.annotations.NullMarked;
