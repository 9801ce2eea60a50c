// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.scripts;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * The names of the Redis keys of one lock, all in one slot: {@code PREFIX{NAME}} for the holder, and the same with a
 * suffix for the token counter, the queue and the marks of ended claims. Immutable.
 */
public record LockKeys(String lock) {
    public static LockKeys of(String prefix, String name) {
        return new LockKeys(prefix + "{" + KeyText.encode(name) + "}");
    }

    /** A pattern that matches the holders' keys of all names with this beginning, and no other key of ours. */
    public static String pattern(String prefix, String beginning) {
        return prefix + "{" + KeyText.encodePrefix(beginning) + "*}";
    }

    /** A pattern that matches the token counters of all names. */
    public static String counters(String prefix) {
        return prefix + "{*}:token";
    }

    /** The name of the lock whose holder a key is for, or null if the key is none of ours. */
    public static @Nullable String name(String prefix, String key) {
        try {
            String name = KeyText.decode(key.substring(prefix.length() + 1, key.length() - 1));
            return of(prefix, name).lock().equals(key) ? name : null;
        } catch (IllegalArgumentException notOurs) {
            return null;
        }
    }

    public String token() {
        return lock + ":token";
    }

    public String queue() {
        return lock + ":queue";
    }

    /** The key that says that a claim has ended, and why. */
    public String ended(String owner) {
        return lock + ":ended:" + owner;
    }

    public int slot() {
        return JedisClusterCRC16.getSlot(lock);
    }
}
