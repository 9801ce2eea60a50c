// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import static java.util.stream.Collectors.joining;

import io.mortise.lock.tck.servers.certificate.ServerCertificate;
import io.mortise.lock.tck.servers.definition.RedisNodeDefinition;
import io.mortise.lock.tck.servers.process.ServerUnavailableException;
import io.mortise.lock.tck.servers.support.Polling;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A Redis master with two replicas that a test starts, watched by three Sentinels. They take the master for dead only
 * after 15 seconds, so that a busy machine does not cause a failover; except while {@link #awaitMasterOtherThan} waits
 * for one.
 *
 * <p>Methods that wait do so for at most a minute, then throw {@link IllegalStateException}. Thread-safe.
 */
public final class RedisSentinels implements AutoCloseable {
    private static final String NAME = "master";
    private static final int SENTINELS = 3;
    private static final int REPLICAS = 2;

    private static final String SLOW_FAILOVER_MILLIS = "15000";
    private static final String FAST_FAILOVER_MILLIS = "1000";

    /**
     * By default Sentinels exchange messages every few seconds, and one that the machine has kept waiting does nothing for half a minute.
     */
    private static final String[] FAST_TIMERS = {
        "SENTINEL", "DEBUG",
        "info-period", "500",
        "publish-period", "200",
        "ask-period", "200",
        "tilt-trigger", "60000",
        "election-timeout", "2000",
        "min-link-reconnect-period", "1000"
    };

    private final List<RedisServer> servers = new ArrayList<>();
    private final List<RedisServer> sentinels = new ArrayList<>();
    private final Polling polling = new Polling(this::outputs);

    private final Optional<ServerCertificate> certificate;

    private RedisSentinels(Optional<ServerCertificate> certificate) {
        this.certificate = certificate;
    }

    /**
     * Starts all six, and waits until the Sentinels know each other and both replicas follow the master.
     *
     * @param settings lines of each data server's configuration file, such as {@code "appendonly yes"}
     * @return the running set
     * @throws ServerUnavailableException if there is no {@code redis-server} and none can be fetched
     */
    public static RedisSentinels start(String... settings) {
        return start(Optional.empty(), settings);
    }

    /**
     * Starts six that speak TLS only, as {@link #start(String...)} does.
     *
     * @param certificate of all of them, so for the address that they announce, {@code 127.0.0.1}, too
     * @return the running set
     * @throws ServerUnavailableException if there is no {@code redis-server} and none can be fetched
     */
    public static RedisSentinels startWithTls(ServerCertificate certificate) {
        return start(Optional.of(certificate));
    }

    private static RedisSentinels start(Optional<ServerCertificate> certificate, String... settings) {
        RedisSentinels set = new RedisSentinels(certificate);
        try {
            set.startAll(List.of(settings));
            return set;
        } catch (RuntimeException failure) {
            set.close();
            throw failure;
        }
    }

    /**
     * The URL of the set.
     *
     * @return {@code redis+sentinel://} with the addresses of all Sentinels, and the name of the master as path;
     *     {@code rediss+sentinel} if they speak TLS
     */
    public String url() {
        return sentinels.stream()
                .map(sentinel -> sentinel.host() + ":" + sentinel.port())
                .collect(joining(",", sentinels.get(0).scheme() + "+sentinel://", "/" + NAME));
    }

    /**
     * The master, as the majority of the Sentinels has it. Waits until there is such a majority and the master answers as one.
     *
     * @return one of {@link #servers()}
     */
    public RedisServer master() {
        return polling.untilPresent("a master that the Sentinels agree on", this::answeringMaster);
    }

    /**
     * The servers with data, whatever each is at the moment.
     *
     * @return three, always in the same order
     */
    public List<RedisServer> servers() {
        return List.copyOf(servers);
    }

    /**
     * The Sentinels.
     *
     * @return three, always in the same order
     */
    public List<RedisServer> sentinels() {
        return List.copyOf(sentinels);
    }

    /**
     * Makes the Sentinels promote a replica although the master is alive, and waits until they agree on it.
     *
     * @return the new master
     */
    public RedisServer failOver() {
        RedisServer old = master();
        RedisServer sentinel = sentinels.get(0);
        polling.until("a Sentinel has failed over", () -> hasFailedOver(sentinel, old));
        return awaitMasterOtherThan(old);
    }

    /**
     * Waits until the majority of the Sentinels has a new master that answers as one. Meanwhile a server that has not answered for a
     * second is down to them.
     *
     * @param old the server that was the master
     * @return the one that is
     */
    public RedisServer awaitMasterOtherThan(RedisServer old) {
        setDownAfter(FAST_FAILOVER_MILLIS);
        try {
            return polling.untilPresent(
                    "another master than " + old.url(), () -> answeringMaster().filter(now -> now != old));
        } finally {
            setDownAfter(SLOW_FAILOVER_MILLIS);
        }
    }

    /** Waits until the master has both replicas, each Sentinel knows that and the others, and both replicas confirm a write. */
    public void awaitHealthy() {
        polling.until("both replicas follow the master", this::hasReplicas);
        for (RedisServer sentinel : sentinels) {
            polling.until("a Sentinel knows all others", () -> knowsAll(sentinel));
        }
        // A replica that has just come online may confirm nothing for a second; the message leaves no data.
        master().replicate(REPLICAS, "PUBLISH", NAME, "healthy");
    }

    /** Ends all six and removes all they had. */
    @Override
    public void close() {
        Stream.concat(sentinels.stream(), servers.stream()).forEach(RedisServer::close);
    }

    /** Asks anew each time: the Sentinel may have no good replica yet, or give up if another Sentinel demotes the replica again. */
    private static boolean hasFailedOver(RedisServer sentinel, RedisServer old) throws IOException {
        boolean done = !addressOf(old).equals(sentinel.ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME));
        if (!done) {
            sentinel.ask("SENTINEL", "FAILOVER", NAME);
        }
        return done;
    }

    private void startAll(List<String> settings) {
        add(servers, RedisNodeDefinition.Mode.DATA, settings);
        RedisServer first = servers.get(0);
        String address = first.host() + " " + first.port();
        List<String> following = Stream.concat(settings.stream(), Stream.of("replicaof " + address))
                .toList();
        for (int i = 0; i < REPLICAS; i++) {
            add(servers, RedisNodeDefinition.Mode.DATA, following);
        }
        polling.until("both replicas follow the master", () -> hasReplicas(first));
        for (int i = 0; i < SENTINELS; i++) {
            add(
                    sentinels,
                    RedisNodeDefinition.Mode.SENTINEL,
                    List.of(
                            "sentinel monitor " + NAME + " " + address + " " + (SENTINELS / 2 + 1),
                            "sentinel down-after-milliseconds " + NAME + " " + SLOW_FAILOVER_MILLIS,
                            "sentinel failover-timeout " + NAME + " 6000"));
        }
        sentinels.forEach(RedisSentinels::speedUp);
        awaitHealthy();
    }

    private void add(List<RedisServer> to, RedisNodeDefinition.Mode mode, List<String> settings) {
        to.add(new RedisServer(new RedisNodeDefinition(mode, settings, certificate), certificate));
    }

    private void setDownAfter(String millis) {
        sentinels.stream()
                .filter(RedisServer::isRunning)
                .forEach(sentinel -> sentinel.command("SENTINEL", "SET", NAME, "down-after-milliseconds", millis));
    }

    /** Speeds up what is not configurable; one that does not know the command takes its time. */
    private static void speedUp(RedisServer sentinel) {
        try {
            sentinel.command(FAST_TIMERS);
        } catch (RedisErrorException unknown) {
            // slower, but as correct
        }
    }

    /** The server that most Sentinels call the master. */
    private Optional<RedisServer> agreed() {
        return servers.stream()
                .filter(server -> sentinels.stream()
                                .filter(sentinel -> calls(sentinel, server))
                                .count()
                        > SENTINELS / 2)
                .findFirst();
    }

    private Optional<RedisServer> answeringMaster() throws IOException {
        Optional<RedisServer> agreed = agreed();
        return agreed.isPresent() && agreed.get().isMaster() ? agreed : Optional.empty();
    }

    private static boolean calls(RedisServer sentinel, RedisServer server) {
        try {
            return addressOf(server).equals(sentinel.ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME));
        } catch (IOException noAnswer) {
            return false;
        }
    }

    private static List<String> addressOf(RedisServer server) {
        return List.of(server.host(), String.valueOf(server.port()));
    }

    /** Asked anew each time: a busy machine may make the Sentinels fail over once more. */
    private boolean hasReplicas() throws IOException {
        Optional<RedisServer> master = answeringMaster();
        return master.isPresent() && hasReplicas(master.get());
    }

    private static boolean hasReplicas(RedisServer master) throws IOException {
        String info = String.valueOf(master.ask("INFO", "replication"));
        return info.lines()
                        .filter(line -> line.startsWith("slave") && line.contains("state=online"))
                        .count()
                == REPLICAS;
    }

    /** Its answer is a list of names and values. */
    private static boolean knowsAll(RedisServer sentinel) throws IOException {
        String facts = String.valueOf(sentinel.ask("SENTINEL", "MASTER", NAME));
        return facts.contains("num-slaves, " + REPLICAS) && facts.contains("num-other-sentinels, " + (SENTINELS - 1));
    }

    private String outputs() {
        return RedisServer.outputs(Stream.concat(servers.stream(), sentinels.stream()));
    }
}
