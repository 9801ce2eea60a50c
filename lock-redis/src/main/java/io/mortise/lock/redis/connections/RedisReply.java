// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.connections;

import java.nio.charset.StandardCharsets;

/** Reads the parts of a reply of Redis as text and numbers. */
public final class RedisReply {
    private RedisReply() {}

    public static String text(Object reply) {
        return reply instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : String.valueOf(reply);
    }

    public static long number(Object reply) {
        return reply instanceof Long number ? number : Long.parseLong(text(reply));
    }
}
