// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The logger of spymemcached, which forwards to {@link System.Logger}. Open to spymemcached alone. */
@NullMarked
package io.mortise.lock.memcached.log;

import org.jspecify.annotations.NullMarked;
