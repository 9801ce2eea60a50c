// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Keeps the command of {@code mortise run} from running without its lock. {@code guard.pl}, a process of its own, is the
 * command's parent and ends it in time even if this JVM is killed or frozen; {@link io.mortise.lock.cli.guard.Guard} starts
 * it and talks to it; {@link io.mortise.lock.cli.guard.GuardWatchdog} does the same work in this JVM if the guard itself is
 * killed or frozen.
 */
@NullMarked
package io.mortise.lock.cli.guard;

import org.jspecify.annotations.NullMarked;
