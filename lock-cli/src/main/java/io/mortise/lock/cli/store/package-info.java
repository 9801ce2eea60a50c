// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The options that choose the lock store of a sub-command. */
@NullMarked
package io.mortise.lock.cli.store;

import org.jspecify.annotations.NullMarked;
