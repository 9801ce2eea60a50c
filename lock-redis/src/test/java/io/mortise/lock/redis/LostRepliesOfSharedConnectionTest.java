// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

/** The same where calls share a connection. */
class LostRepliesOfSharedConnectionTest extends LostRepliesTest {
    @Override
    RedisBackend open(String url) {
        return Claims.openSharing(url);
    }
}
