// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.scripts;

import java.nio.charset.StandardCharsets;
import java.util.List;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * One call of a script with its keys and arguments. Immutable.
 *
 * @param keys its keys, one at least, all in one slot
 * @param arguments its arguments; their texts are sent
 */
public record ScriptCall(Script script, List<String> keys, List<?> arguments) {
    public static ScriptCall of(Script script, List<String> keys, Object... arguments) {
        return new ScriptCall(script, keys, List.of(arguments));
    }

    int slot() {
        return JedisClusterCRC16.getSlot(keys.get(0));
    }

    /** The arguments of EVALSHA, or of EVAL if the server does not know the script. */
    public byte[][] parameters(boolean known) {
        byte[][] parameters = new byte[2 + keys.size() + arguments.size()][];
        int next = 0;
        parameters[next++] = bytes(known ? script.digest() : script.text());
        parameters[next++] = Protocol.toByteArray(keys.size());
        for (String key : keys) {
            parameters[next++] = bytes(key);
        }
        for (Object argument : arguments) {
            parameters[next++] = bytes(argument.toString());
        }
        return parameters;
    }

    /** About how many bytes it sends. */
    int size() {
        int size = 100;
        for (String key : keys) {
            size += key.length() + 10;
        }
        for (Object argument : arguments) {
            size += argument.toString().length() + 10;
        }
        return size;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
