// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.scripts;

import java.nio.charset.StandardCharsets;
import java.util.List;
import redis.clients.jedis.Protocol;

/**
 * One run of a script. Immutable.
 *
 * @param script what to run
 * @param slot the slot of all its keys
 * @param keys its keys
 * @param arguments its arguments; their texts are sent
 */
public record ScriptCall(Script script, int slot, List<String> keys, List<?> arguments) {
    /** The arguments of EVALSHA, or of EVAL if the server does not know the script. */
    byte[][] parameters(boolean known) {
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
    public int size() {
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
