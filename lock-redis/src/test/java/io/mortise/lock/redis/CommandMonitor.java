// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import io.mortise.lock.tck.servers.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;

/** Hears every command that a server is sent, and those that its scripts call. */
final class CommandMonitor implements AutoCloseable {
    /**
     * A call of a script.
     *
     * @param script its digest or its text
     * @param keys the keys that it was given
     * @param touched the keys that it named to commands
     */
    record Call(String script, List<String> keys, List<String> touched) {}

    private static final Pattern WORD = Pattern.compile("\"((?:[^\"\\\\]++|\\\\.)*+)\"");
    private static final Set<String> WITHOUT_KEYS = Set.of("TIME", "PUBLISH");

    private final Connection connection;

    private CommandMonitor(Connection connection) {
        this.connection = connection;
    }

    static CommandMonitor of(RedisServer server) {
        Connection connection = new Connection(new HostAndPort(server.host(), server.port()));
        connection.sendCommand(Protocol.Command.MONITOR);
        connection.getStatusCodeReply();
        return new CommandMonitor(connection);
    }

    /** The calls of scripts so far, up to one of which a line is the last. */
    List<Call> calls(Predicate<String> last) {
        List<Call> calls = new ArrayList<>();
        while (true) {
            String line = connection.getBulkReply();
            List<String> words =
                    WORD.matcher(line).results().map(word -> word.group(1)).toList();
            if (line.contains(" lua] ")) {
                if (!WITHOUT_KEYS.contains(words.get(0))) {
                    calls.get(calls.size() - 1).touched().add(words.get(1));
                }
            } else if (words.get(0).startsWith("EVAL")) {
                int keys = Integer.parseInt(words.get(2));
                calls.add(new Call(words.get(1), words.subList(3, 3 + keys), new ArrayList<>()));
            }
            if (last.test(line) && line.contains("\"EXISTS\"")) {
                return calls;
            }
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
