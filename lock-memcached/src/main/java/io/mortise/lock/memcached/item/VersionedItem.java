// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.item;

import io.mortise.lock.memcached.connection.LiveConnection;

/** A lock's item as it was read, with its version, which is valid on the connection on which it was read only. */
record VersionedItem(LockItem item, long cas, LiveConnection connection) {}
