// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import io.mortise.lock.tck.servers.definition.ZooKeeperDefinition;
import io.mortise.lock.tck.servers.process.JvmClassPath;
import io.mortise.lock.tck.servers.process.ServerUnavailableException;
import io.mortise.lock.tck.servers.proxy.TcpProxy;
import io.mortise.lock.tck.servers.support.FreePort;
import io.mortise.lock.tck.servers.support.Polling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A ZooKeeper ensemble that a test starts: three servers that agree by majority, each a JVM of its own. They talk to
 * each other through proxies, so that a server can be cut off from the others while it keeps its clients. Thread-safe.
 */
public final class ZooKeeperEnsemble implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final int MEMBERS = 3;

    /** An elected member listens to its followers only a moment later, and a follower whose connection is reset abandons it. */
    private static final Duration UNTIL_IT_LEADS = Duration.ofSeconds(1);

    /** The proxies between two members, given by index: for the follower's connection, and for elections. */
    private record Link(int from, int to, TcpProxy following, TcpProxy electing) {}

    private final List<ZooKeeperServer> servers = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();
    private final Polling polling = new Polling(this::outputs);

    private ZooKeeperEnsemble() {}

    /**
     * Starts three and waits until they serve.
     *
     * @param settings lines of {@code zoo.cfg}, as for {@link ZooKeeperServer#start}
     * @return the running ensemble
     * @throws ServerUnavailableException if ZooKeeper is not on the class path
     */
    public static ZooKeeperEnsemble start(String... settings) {
        ZooKeeperEnsemble ensemble = new ZooKeeperEnsemble();
        try {
            ensemble.startMembers(List.of(settings));
            return ensemble;
        } catch (RuntimeException failure) {
            ensemble.close();
            throw failure;
        }
    }

    private void startMembers(List<String> settings) {
        int[] following = new int[MEMBERS];
        int[] electing = new int[MEMBERS];
        for (int i = 0; i < MEMBERS; i++) {
            following[i] = FreePort.pick();
            electing[i] = FreePort.pick();
        }
        for (int from = 0; from < MEMBERS; from++) {
            List<String> lines = new ArrayList<>(settings);
            for (int to = 0; to < MEMBERS; to++) {
                lines.add("server." + (to + 1) + "=" + HOST + ":"
                        + (from == to
                                ? following[to] + ":" + electing[to]
                                : link(from, to, following[to], electing[to])));
            }
            servers.add(new ZooKeeperServer(new ZooKeeperDefinition(lines, Optional.of(from + 1), JvmClassPath.own())));
        }
        awaitServing();
    }

    private String link(int from, int to, int following, int electing) {
        Link link = new Link(from, to, TcpProxy.to(HOST, following, UNTIL_IT_LEADS), TcpProxy.to(HOST, electing));
        links.add(link);
        return link.following.port() + ":" + link.electing.port();
    }

    /**
     * The members.
     *
     * @return always the same three
     */
    public List<ZooKeeperServer> servers() {
        return List.copyOf(servers);
    }

    /**
     * The members that have not been killed.
     *
     * @return three, or those that are left
     */
    public List<ZooKeeperServer> running() {
        return servers.stream().filter(ZooKeeperServer::isRunning).toList();
    }

    /**
     * Where clients find it.
     *
     * @return {@code HOST:PORT,HOST:PORT,HOST:PORT}
     */
    public String connectString() {
        return servers.stream().map(ZooKeeperServer::connectString).collect(Collectors.joining(","));
    }

    /**
     * Its URL.
     *
     * @return {@code zookeeper://HOST:PORT,HOST:PORT,HOST:PORT}
     */
    public String url() {
        return "zookeeper://" + connectString();
    }

    /**
     * The member that leads now; waits until there is one.
     *
     * @return one of {@link #servers()}
     */
    public ZooKeeperServer leader() {
        return polling.untilPresent("a member leads", () -> inRole("leader"));
    }

    /**
     * A member that follows now; waits until there is one.
     *
     * @return one of {@link #servers()}
     */
    public ZooKeeperServer follower() {
        return polling.untilPresent("a member follows", () -> inRole("follower"));
    }

    /**
     * Cuts a member off from the others: holds back all that they send to each other, unnoticed by either. Its clients still
     * reach it.
     *
     * @param member one of {@link #servers()}
     */
    public void cutOff(ZooKeeperServer member) {
        int cut = servers.indexOf(member);
        for (Link link : links) {
            if (link.from == cut || link.to == cut) {
                link.following.freeze();
                // A frozen connection would keep the others from electing: they read one to its end before the next.
                link.electing.cut();
            }
        }
    }

    /** Ends every {@link #cutOff}. What was held back is lost, and its connections are reset. */
    public void heal() {
        for (Link link : links) {
            link.following.killConnections();
            link.following.heal();
            link.electing.heal();
        }
    }

    /** Starts those members that do not run, at once, and waits until all serve. */
    public void restartMissing() {
        servers.parallelStream().filter(server -> !server.isRunning()).forEach(ZooKeeperServer::restart);
        awaitServing();
    }

    /** Ends all members and removes all they had. Harmless if repeated. */
    @Override
    public void close() {
        servers.forEach(ZooKeeperServer::close);
        for (Link link : links) {
            link.following.close();
            link.electing.close();
        }
    }

    private void awaitServing() {
        servers.forEach(ZooKeeperServer::awaitServing);
    }

    private String outputs() {
        return servers.stream().map(ZooKeeperServer::output).collect(Collectors.joining("\n"));
    }

    private Optional<ZooKeeperServer> inRole(String role) {
        return servers.stream()
                .filter(server -> server.role().filter(role::equals).isPresent())
                .findFirst();
    }
}
