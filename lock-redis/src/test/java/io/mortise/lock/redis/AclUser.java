// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import io.mortise.lock.tck.servers.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** A user of Redis who may do what locks need, and nothing else. */
final class AclUser {
    /** The rules of ACL SETUSER, as the page of the backend tells them. */
    static final List<String> RULES = rules("any");

    static final List<String> FOR_A_DATABASE = rules("database");
    static final List<String> FOR_REPLICAS = rules("replicas");
    static final List<String> FOR_A_CLUSTER = rules("cluster");

    /** Instead of the other rules; those for the data are still missing. */
    static final List<String> FOR_A_GUARD = rules("guard");

    private AclUser() {}

    /** A server that has had such a user since its start, and still has it after a restart. */
    static RedisServer server(String name, String... more) {
        List<String> arguments = new ArrayList<>(List.of("--user", name, "on", ">secret"));
        arguments.addAll(RULES);
        arguments.addAll(List.of(more));
        return RedisServer.start(arguments.toArray(new String[0]));
    }

    /** Makes such a user, and answers the URL with its name and password. */
    static String on(RedisServer server, String name, List<String> rules) {
        List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", name, "on", ">secret"));
        command.addAll(rules);
        server.command(command.toArray(new String[0]));
        return url(server, name);
    }

    static String url(RedisServer server, String name) {
        return url(server.host(), server.port(), name);
    }

    static String url(String host, int port, String name) {
        return "redis://" + name + ":secret@" + host + ":" + port;
    }

    static List<String> with(List<String> rules, String... more) {
        return with(rules, List.of(more));
    }

    static List<String> with(List<String> rules, List<String> more) {
        return Stream.concat(rules.stream(), more.stream()).toList();
    }

    private static List<String> rules(String use) {
        try (InputStream in = Objects.requireNonNull(AclUser.class.getResourceAsStream("acl.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(use + ": "))
                    .flatMap(line -> Stream.of(line.split(" ")).skip(1))
                    .toList();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
