// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.Variant;

/** Redis whose calls share a connection, as they otherwise do only while many threads call at once. */
@Variant(
        of = RedisTckTest.class,
        rules = {"A", "C", "D", "E", "H3", "H4", "H5", "J", "K", "O"})
class RedisSharedConnectionTckTest extends RedisTckTest {
    @Override
    public LockBackend open(String store) {
        return Claims.openSharing(store);
    }
}
