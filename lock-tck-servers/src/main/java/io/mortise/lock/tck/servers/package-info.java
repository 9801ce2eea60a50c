// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The servers that the tests of backends start: Redis, memcached, PostgreSQL, MariaDB, ZooKeeper, and clusters of them. */
@NullMarked
package io.mortise.lock.tck.servers;

import org.jspecify.annotations.NullMarked;
