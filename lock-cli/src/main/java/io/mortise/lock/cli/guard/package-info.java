// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What keeps the command of {@code mortise run} from running without its lock. {@code guard.pl}, a process of its own, is
 * the command's parent and ends it in time even if this JVM is killed or frozen; {@link
 * io.mortise.lock.cli.guard.Guard} starts it and talks to it; {@link io.mortise.lock.cli.guard.SecondLine} does the same
 * work from here should the guard itself be killed or frozen.
 */
@NullMarked
package io.mortise.lock.cli.guard;

import org.jspecify.annotations.NullMarked;
