// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

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

/** A client's connection and the one to the server behind it. One thread takes requests, one takes replies, one delivers them. */
final class ProxiedConnection {
    private static final int CHUNK = 65_536;
    private static final int CONNECT_MILLIS = 5_000;
    private static final long RETRY_NANOS = 10_000_000;

    private final Socket client;
    private final Faults faults;
    private final Consumer<ProxiedConnection> onEnd;
    private final BlockingQueue<Reply> replies = new LinkedBlockingQueue<>();
    private volatile Socket server = new Socket();
    private volatile boolean over;
    private volatile boolean silent;

    /** Set by the request whose reply is lost: the next that the server says. */
    private volatile Optional<Drop> replyToLose = Optional.empty();

    ProxiedConnection(Socket client, Faults faults, Consumer<ProxiedConnection> onEnd) {
        this.client = client;
        this.faults = faults;
        this.onEnd = onEnd;
    }

    /** Carries bytes until either side ends the connection, or until it is refused for longer than {@code patience}. */
    void run(InetSocketAddress target, Duration patience) {
        try {
            client.setTcpNoDelay(true);
            connect(target, System.nanoTime() + patience.toNanos());
            TcpProxy.daemon("replies", this::takeReplies);
            TcpProxy.daemon("deliveries", this::deliverReplies);
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

    /** Ends both connections at once, as a peer that knows nothing of them would. */
    void reset() {
        end(true);
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
        Optional<Drop> met = faults.met(chunk, length);
        if (met.isPresent() && met.get().what() == Drop.What.REQUEST) {
            lose(met.get());
            return;
        }
        if (met.isPresent()) {
            replyToLose = met;
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
            // told with the delivery of the end
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

    /** False after the last one. */
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

    private void lose(Drop drop) {
        silent = true;
        if (drop.then() == Drop.Then.CLOSE) {
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

    /** Bytes that wait for their time; no bytes are the end of the server's side. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Reply(byte[] bytes, long dueNanos) {}
}
