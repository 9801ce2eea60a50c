// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Child JVMs that hold, wait and race for locks, and are killed and frozen. */
@NullMarked
package io.mortise.lock.tck.process;

import org.jspecify.annotations.NullMarked;
