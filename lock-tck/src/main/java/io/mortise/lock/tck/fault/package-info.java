// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** What the suite can do to a store, if the author's test class can: stop it, cut its connections, make it forget. */
@NullMarked
package io.mortise.lock.tck.fault;

import org.jspecify.annotations.NullMarked;
