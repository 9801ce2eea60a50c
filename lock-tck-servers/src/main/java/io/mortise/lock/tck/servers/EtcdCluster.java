// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import io.mortise.lock.tck.servers.definition.EtcdDefinition;
import io.mortise.lock.tck.servers.process.ServerUnavailableException;
import io.mortise.lock.tck.servers.support.FreePort;
import io.mortise.lock.tck.servers.support.Polling;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A cluster of three members of etcd that a test starts. Thread-safe. */
public final class EtcdCluster implements AutoCloseable {
    private static final int MEMBERS = 3;
    private static final Pattern ID = Pattern.compile("\"member_id\":\"(\\d+)\"");
    private static final Pattern LEADER = Pattern.compile("\"leader\":\"(\\d+)\"");

    private final List<EtcdServer> servers = new ArrayList<>();
    private final Polling polling = new Polling(this::outputs);

    private EtcdCluster() {}

    /**
     * Starts three and waits until they serve.
     *
     * @return the running cluster
     * @throws ServerUnavailableException if there is no {@code etcd}, and none can be fetched
     */
    public static EtcdCluster start() {
        EtcdCluster cluster = new EtcdCluster();
        try {
            cluster.startMembers();
            return cluster;
        } catch (RuntimeException failure) {
            cluster.close();
            throw failure;
        }
    }

    private void startMembers() {
        List<String> urls = new ArrayList<>();
        List<String> members = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++) {
            urls.add("http://127.0.0.1:" + FreePort.pick());
            members.add("m" + i + "=" + urls.get(i));
        }
        for (int i = 0; i < MEMBERS; i++) {
            servers.add(new EtcdServer(
                    new EtcdDefinition("m" + i, urls.get(i), String.join(",", members), Optional.empty())));
        }
        awaitServing();
    }

    /**
     * The members.
     *
     * @return always the same three
     */
    public List<EtcdServer> servers() {
        return List.copyOf(servers);
    }

    /**
     * Its URL.
     *
     * @return {@code etcd://HOST:PORT,HOST:PORT,HOST:PORT}
     */
    public String url() {
        return "etcd://"
                + servers.stream()
                        .map(server -> server.host() + ":" + server.port())
                        .collect(Collectors.joining(","));
    }

    /**
     * The members that have not been killed.
     *
     * @return three, or those that are left
     */
    public List<EtcdServer> running() {
        return servers.stream().filter(EtcdServer::isRunning).toList();
    }

    /**
     * The member that leads now; waits until there is one.
     *
     * @return one of {@link #servers()}
     */
    public EtcdServer leader() {
        return inRole("a member leads", true);
    }

    /**
     * A member that follows now; waits until there is one.
     *
     * @return one of {@link #servers()}
     */
    public EtcdServer follower() {
        return inRole("a member follows", false);
    }

    private EtcdServer inRole(String what, boolean leading) {
        return polling.untilPresent(what, () -> {
            for (EtcdServer server : running()) {
                if (leads(server) == leading) {
                    return Optional.of(server);
                }
            }
            return Optional.empty();
        });
    }

    private static boolean leads(EtcdServer server) throws IOException {
        String status = server.post("maintenance/status", "{}");
        Matcher id = ID.matcher(status);
        Matcher leader = LEADER.matcher(status);
        if (!id.find() || !leader.find()) {
            throw new IOException("no member leads: " + status);
        }
        return id.group(1).equals(leader.group(1));
    }

    /** Starts those members that do not run, and waits until all serve. */
    public void restartMissing() {
        servers.stream().filter(server -> !server.isRunning()).forEach(EtcdServer::restart);
        awaitServing();
    }

    /** Waits until each member that runs answers by the word of the majority. */
    public void awaitServing() {
        for (EtcdServer server : running()) {
            polling.until("the members serve", () -> server.post("kv/range", "{\"key\":\"AA==\"}")
                    .contains("header"));
        }
    }

    private String outputs() {
        return servers.stream().map(EtcdServer::output).collect(Collectors.joining("\n"));
    }

    /** Ends all members and removes all they had. Harmless if repeated. */
    @Override
    public void close() {
        servers.forEach(EtcdServer::close);
    }
}
