// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** What spymemcached logs with; open to it alone. */
@NullMarked
package io.mortise.lock.memcached.log;

import org.jspecify.annotations.NullMarked;
