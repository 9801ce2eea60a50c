// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** How to run each kind of server: programs, arguments, data, and how to see that one answers. */
@NullMarked
package io.mortise.lock.tck.servers.kind;

import org.jspecify.annotations.NullMarked;
