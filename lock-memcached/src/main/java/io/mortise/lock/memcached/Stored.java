// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

/**
 * An item as it was read.
 *
 * @param holding its value
 * @param cas its version, good on that connection only
 * @param contact the connection on which it was read
 */
record Stored(Holding holding, long cas, Contact contact) {}
