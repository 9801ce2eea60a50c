// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A network between a client and a server, with faults to order: connections cut or reset, bytes held back, requests or replies lost.
 * Clients connect to the proxy's port on this machine; nothing else about a connection changes.
 *
 * <p>A fault holds from the return of the method that orders it. Thread-safe. Its threads are daemons and end with {@link #close()}.
 */
public final class TcpProxy implements AutoCloseable {
    private final InetSocketAddress target;
    private final Duration patience;
    private final InetSocketAddress address;
    private final Faults faults = new Faults();
    private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicLong accepted = new AtomicLong();
    private Optional<Listener> listener = Optional.empty();

    private TcpProxy(InetSocketAddress target, Duration patience) {
        this.target = target;
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
        return new TcpProxy(new InetSocketAddress(host, port), patience);
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
        listener.ifPresent(Listener::close);
        listener = Optional.empty();
        killConnections();
    }

    /** Resets all connections. New ones are welcome. */
    public void killConnections() {
        connections.forEach(ProxiedConnection::reset);
    }

    /**
     * Holds back all bytes, of new connections too, until {@link #heal()}: a partition of which neither side hears. Held bytes arrive
     * after it, as TCP would send them again; reset the connections first to have them lost. A connection's end is held back as well.
     */
    public void freeze() {
        faults.hold(true, true);
    }

    /** Holds back what the server says until {@link #heal()}; requests arrive and are obeyed. */
    public void freezeReplies() {
        faults.hold(false, true);
    }

    /** Holds back what clients say until {@link #heal()}; the server still reaches them. */
    public void freezeRequests() {
        faults.hold(true, false);
    }

    /**
     * Lets everything that the server says from now on arrive later, in order.
     *
     * @param delay how much later; zero for none
     */
    public void delayReplies(Duration delay) {
        faults.delayReplies(delay);
    }

    /** Lets the next request arrive, loses the server's reply, and closes that connection instead. */
    public void dropNextReply() {
        faults.dropNext(new Drop(Drop.What.REPLY, "", Drop.Then.CLOSE));
    }

    /**
     * Loses a message. Orders are kept until a message meets them, each for one message.
     *
     * @param drop which message, and what becomes of its connection
     */
    public void dropNext(Drop drop) {
        faults.dropNext(drop);
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
     * @return those that met an order to drop them
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
        listener = Optional.of(Listener.open(address, this::carry));
    }

    private void carry(Socket client) {
        accepted.incrementAndGet();
        ProxiedConnection connection = new ProxiedConnection(client, faults, connections::remove);
        connections.add(connection);
        daemon("connection", () -> connection.run(target, patience));
    }

    static Thread daemon(String what, Runnable work) {
        Thread thread = new Thread(work, "proxy " + what);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
