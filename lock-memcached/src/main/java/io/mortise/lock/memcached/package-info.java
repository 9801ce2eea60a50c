// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Locks in memcached, one item for each: {@link io.mortise.lock.memcached.MemcachedBackend} over a client of the
 * application's, or a {@code memcached:} URL.
 *
 * <p>memcached is a cache: it may evict a lock at any time, and forgets all of them when it restarts. Use it for work that
 * may be done twice.
 */
@NullMarked
package io.mortise.lock.memcached;

import org.jspecify.annotations.NullMarked;
