// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The locks of other libraries, each as its users would use it, and the table of what the suite says of them. */
@NullMarked
package io.mortise.lock.peers;

import org.jspecify.annotations.NullMarked;
