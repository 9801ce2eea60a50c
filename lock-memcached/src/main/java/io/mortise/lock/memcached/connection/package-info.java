// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Connections to memcached servers through spymemcached, and the commands that are sent on them. */
@NullMarked
package io.mortise.lock.memcached.connection;

import org.jspecify.annotations.NullMarked;
