// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.listing;

import io.mortise.lock.redis.connections.Deadline;
import io.mortise.lock.redis.connections.RedisReply;
import java.util.List;
import java.util.function.Consumer;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;

/** Goes through the keys of one server in small steps, so that nobody waits for it. */
final class KeyScan {
    private static final String KEYS_IN_ONE_STEP = "1000";
    private static final String BEGINNING = "0";

    private KeyScan() {}

    /** Calls {@code found} for every key that matches, maybe more than once. */
    static void keys(Connection connection, String pattern, Deadline deadline, Consumer<String> found) {
        String cursor = BEGINNING;
        do {
            connection.setSoTimeout(deadline.leftMillis());
            connection.sendCommand(Command.SCAN, cursor, "MATCH", pattern, "COUNT", KEYS_IN_ONE_STEP);
            List<?> step = (List<?>) connection.getOne();
            cursor = RedisReply.text(step.get(0));
            ((List<?>) step.get(1)).forEach(key -> found.accept(RedisReply.text(key)));
        } while (!cursor.equals(BEGINNING));
    }
}
