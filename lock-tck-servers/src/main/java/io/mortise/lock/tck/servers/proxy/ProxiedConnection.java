// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.proxy;

import io.mortise.lock.tck.servers.support.DaemonThread;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Carries the bytes between a client's connection to a proxy and the proxy's connection to the server. One thread
 * carries requests, one reads replies, one delivers them.
 */
final class ProxiedConnection {
    private static final int CHUNK = 65_536;
    private static final int CONNECT_MILLIS = 5_000;
    private static final long RETRY_NANOS = 10_000_000;

    private final Socket client;
    private final ProxyFaults faults;
    private final Consumer<ProxiedConnection> onEnd;
    private final BlockingQueue<Reply> replies = new LinkedBlockingQueue<>();
    private volatile Socket server = new Socket();
    private volatile boolean over;
    private volatile boolean silent;

    /** Set by a request that matched a rule: the next reply of the server is lost. */
    private volatile Optional<DropRule> replyToLose = Optional.empty();

    ProxiedConnection(Socket client, ProxyFaults faults, Consumer<ProxiedConnection> onEnd) {
        this.client = client;
        this.faults = faults;
        this.onEnd = onEnd;
    }

    /** Carries bytes until either side ends the connection, or until it is refused for longer than {@code patience}. */
    void run(InetSocketAddress target, Duration patience) {
        try {
            client.setTcpNoDelay(true);
            connect(target, System.nanoTime() + patience.toNanos());
            DaemonThread.start("proxy replies", this::takeReplies);
            DaemonThread.start("proxy deliveries", this::deliverReplies);
            takeRequests();
        } catch (IOException | InterruptedException ended) {
            reset();
        }
    }

    private void connect(InetSocketAddress target, long deadline) throws IOException {
        while (true) {
            try {
                server.setTcpNoDelay(true);
                server.connect(target, CONNECT_MILLIS);
                return;
            } catch (ConnectException refused) {
                if (over || System.nanoTime() - deadline >= 0) {
                    throw refused;
                }
                LockSupport.parkNanos(RETRY_NANOS);
                server = new Socket();
            }
        }
    }

    /** Ends both connections at once with a TCP reset. */
    void reset() {
        end(true);
    }

    /** Loses everything from now on, and stays open. */
    void silence() {
        silent = true;
    }

    private void takeRequests() throws IOException, InterruptedException {
        InputStream in = client.getInputStream();
        byte[] chunk = new byte[CHUNK];
        int length;
        do {
            length = in.read(chunk);
            faults.awaitRequest(() -> over);
            try {
                if (!silent) {
                    deliverRequest(chunk, length);
                }
            } finally {
                faults.passed();
            }
        } while (length >= 0);
    }

    private void deliverRequest(byte[] chunk, int length) throws IOException {
        if (length < 0) {
            end(false);
            return;
        }
        Optional<DropRule> rule = faults.take(chunk, length);
        if (rule.isPresent() && rule.get().what() == DropRule.What.REQUEST) {
            lose(rule.get());
            return;
        }
        if (rule.isPresent()) {
            replyToLose = rule;
        }
        server.getOutputStream().write(chunk, 0, length);
    }

    private void takeReplies() {
        byte[] chunk = new byte[CHUNK];
        try {
            InputStream in = server.getInputStream();
            for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
                replies.add(new Reply(Arrays.copyOf(chunk, length), faults.dueNanos()));
            }
        } catch (IOException ended) {
            // the empty reply below says so
        }
        replies.add(new Reply(new byte[0], faults.dueNanos()));
    }

    private void deliverReplies() {
        try {
            boolean more = true;
            while (more) {
                Reply reply = replies.take();
                faults.awaitReply(reply.dueNanos(), () -> over);
                try {
                    more = deliverReply(reply.bytes());
                } finally {
                    faults.passed();
                }
            }
        } catch (IOException | InterruptedException ended) {
            reset();
        }
    }

    /** Whether more replies may follow. */
    private boolean deliverReply(byte[] bytes) throws IOException {
        boolean last = bytes.length == 0;
        if (silent) {
            return !last;
        }
        if (last) {
            end(false);
        } else if (replyToLose.isPresent()) {
            lose(replyToLose.get());
        } else {
            client.getOutputStream().write(bytes);
        }
        return !last;
    }

    private void lose(DropRule rule) {
        silent = true;
        if (rule.then() == DropRule.Then.CLOSE) {
            reset();
        }
        faults.countDropped();
    }

    private void end(boolean reset) {
        over = true;
        close(client, reset);
        close(server, reset);
        onEnd.accept(this);
        faults.wake();
    }

    private static void close(Socket socket, boolean reset) {
        try {
            if (reset) {
                socket.setSoLinger(true, 0);
            }
            socket.close();
        } catch (IOException closedAnyway) {
            // it is of no use any more
        }
    }

    /** Bytes of the server and when they are due; no bytes are the end of the server's side. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Reply(byte[] bytes, long dueNanos) {}
}
