// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Locks of <a href="https://github.com/lukas-krecan/ShedLock">ShedLock</a>: {@link io.mortise.lock.shedlock.MortiseLockProvider} is the
 * provider that its annotations and executors use.
 */
@NullMarked
package io.mortise.lock.shedlock;

import org.jspecify.annotations.NullMarked;
