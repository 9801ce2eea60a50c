// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import io.mortise.lock.tck.servers.RedisConnection;
import io.mortise.lock.tck.servers.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Five Redis servers that keep their data, some of which may be dead. */
final class Five implements AutoCloseable {
    private final List<RedisServer> servers = new ArrayList<>();

    private Five() {}

    static Five start() {
        Five five = new Five();
        try {
            for (int i = 0; i < 5; i++) {
                five.servers.add(RedisServer.start(
                        "--appendonly", "yes", "--user", "operator", "on", ">secret", "+@all", "~*", "&*"));
            }
            return five;
        } catch (RuntimeException failure) {
            five.close();
            throw failure;
        }
    }

    /** Starts five servers and kills some of them. */
    static Five start(int dead) {
        Five five = start();
        for (int i = 0; i < dead; i++) {
            // Every second one, because the order of the members must not matter.
            five.get(2 * i).kill();
        }
        return five;
    }

    RedisServer get(int index) {
        return servers.get(index);
    }

    /** Serves at once, though the servers have just been started. Options are added with an ampersand. */
    String url() {
        return url(servers.stream().map(Five::address).toList());
    }

    static String url(List<String> addresses) {
        return urlWithRestartDelay(addresses) + "?newQuorum=true";
    }

    /** Serves when the servers have run for the restart delay, as in production. Options are added with a question mark. */
    String urlWithRestartDelay() {
        return urlWithRestartDelay(servers.stream().map(Five::address).toList());
    }

    static String urlWithRestartDelay(List<String> addresses) {
        return "redlock://" + String.join(",", addresses);
    }

    List<RedisServer> all() {
        return servers;
    }

    static String address(RedisServer server) {
        return server.host() + ":" + server.port();
    }

    List<RedisServer> alive() {
        return servers.stream().filter(RedisServer::isRunning).toList();
    }

    void forEachAlive(Consumer<RedisServer> what) {
        alive().forEach(what);
    }

    /** Changes what users without a name may do, as a user who has one. */
    static void permit(RedisServer server, String rule) {
        try (RedisConnection operator = new RedisConnection(server.host(), server.port())) {
            operator.command("AUTH", "operator", "secret");
            operator.command("ACL", "SETUSER", "default", rule);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The key of a lock whose name needs no escaping. */
    static String key(String lock) {
        return "mortise:{" + lock + "}";
    }

    @Override
    public void close() {
        servers.forEach(RedisServer::close);
    }
}
