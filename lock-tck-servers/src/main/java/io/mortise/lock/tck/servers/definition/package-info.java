// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Defines how each server is run: programs, arguments, data, and how to see that one answers. */
@NullMarked
package io.mortise.lock.tck.servers.definition;

import org.jspecify.annotations.NullMarked;
