// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The item in memcached that stands for a lock: its key, its value, and the claims that write it. */
@NullMarked
package io.mortise.lock.memcached.item;

import org.jspecify.annotations.NullMarked;
