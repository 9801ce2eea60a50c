// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.proxy;

import io.mortise.lock.tck.servers.support.DaemonThread;
import io.mortise.lock.tck.servers.support.FreePort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A TCP proxy between clients and a server that causes network faults on demand: it cuts and resets connections, holds bytes back or
 * delays them, and loses requests or replies. Clients connect to its port on this machine; nothing else about a connection changes.
 *
 * <p>A fault is in effect when the method that causes it returns. Thread-safe. Its threads are daemons and end with {@link #close()}.
 */
public final class TcpProxy implements AutoCloseable {
    private final InetSocketAddress target;
    private final Duration patience;
    private final InetSocketAddress address;
    private final ProxyFaults faults = new ProxyFaults();
    private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicLong accepted = new AtomicLong();
    private Optional<Acceptor> listener = Optional.empty();

    private TcpProxy(String host, int port, Duration patience) {
        target = new InetSocketAddress(host, port);
        this.patience = patience;
        address = new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.pick());
        listen();
    }

    /**
     * A proxy in front of a server, which need not run yet: a connection to one that does not is accepted, then reset.
     *
     * @param host the server's host
     * @param port the server's port
     * @return a proxy that listens
     */
    public static TcpProxy to(String host, int port) {
        return to(host, port, Duration.ZERO);
    }

    /**
     * A proxy in front of a server that may be about to listen. Its clients cannot be refused, as the server would refuse them, and
     * may take a reset for something worse: so the server is tried again for a while.
     *
     * @param host the server's host
     * @param port the server's port
     * @param patience how long a connection that the server refuses is tried again before it is reset
     * @return a proxy that listens
     */
    public static TcpProxy to(String host, int port, Duration patience) {
        return new TcpProxy(host, port, patience);
    }

    /**
     * Where clients connect to.
     *
     * @return an address of this machine alone
     */
    public String host() {
        return address.getHostString();
    }

    /**
     * Where clients connect to.
     *
     * @return the same port as long as this proxy lives
     */
    public int port() {
        return address.getPort();
    }

    /** Resets all connections, and refuses new ones until {@link #heal()}. */
    public synchronized void cut() {
        listener.ifPresent(Acceptor::close);
        listener = Optional.empty();
        killConnections();
    }

    /** Resets all connections. Clients may connect again at once. */
    public void killConnections() {
        connections.forEach(ProxiedConnection::reset);
    }

    /**
     * Loses from now on what the open connections carry, and tells neither side: as if a firewall had forgotten them, or another host
     * had taken over the server's address. New connections work.
     */
    public void silenceConnections() {
        connections.forEach(ProxiedConnection::silence);
    }

    /**
     * Holds back all bytes, of new connections too, until {@link #heal()}: a partition that neither side notices. Held bytes arrive
     * after it, as TCP would send them again; to lose them, call {@link #killConnections()} first. A connection's end is held back as well.
     */
    public void freeze() {
        faults.hold(true, true);
    }

    /** Holds back what the server sends until {@link #heal()}; requests arrive and are carried out. */
    public void freezeReplies() {
        faults.hold(false, true);
    }

    /** Holds back what clients send until {@link #heal()}; the server still reaches them. */
    public void freezeRequests() {
        faults.hold(true, false);
    }

    /**
     * Delays everything that the server sends from now on, in order.
     *
     * @param delay how much later; zero for none
     */
    public void delayReplies(Duration delay) {
        faults.delayReplies(delay);
    }

    /** Lets the next request arrive, loses the server's reply, and closes that connection instead. */
    public void dropNextReply() {
        faults.dropNext(new DropRule(DropRule.What.REPLY, "", DropRule.Then.CLOSE));
    }

    /**
     * Loses a message. A rule is kept until a message matches it, and is then used up.
     *
     * @param rule which message, and what becomes of its connection
     */
    public void dropNext(DropRule rule) {
        faults.dropNext(rule);
    }

    /** Ends {@link #cut()}, all kinds of {@link #freeze()}, delays, and messages yet to be lost. */
    public synchronized void heal() {
        faults.heal();
        if (listener.isEmpty()) {
            listen();
        }
    }

    /**
     * How many connections there have been.
     *
     * @return those accepted since the start, whether they are open or not
     */
    public long accepted() {
        return accepted.get();
    }

    /**
     * How many connections there are.
     *
     * @return those open now
     */
    public int open() {
        return connections.size();
    }

    /**
     * How many messages have been lost.
     *
     * @return how many matched a {@link DropRule}
     */
    public long dropped() {
        return faults.dropped();
    }

    /** Resets all connections and stops listening. Harmless if repeated. */
    @Override
    public void close() {
        cut();
    }

    private void listen() {
        listener = Optional.of(Acceptor.open(address, this::carry));
    }

    private void carry(Socket client) {
        accepted.incrementAndGet();
        ProxiedConnection connection = new ProxiedConnection(client, faults, connections::remove);
        connections.add(connection);
        DaemonThread.start("proxy connection", () -> connection.run(target, patience));
    }
}
