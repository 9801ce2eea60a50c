// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.guard;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The connection to the guard process, which carries lines of text. One thread reads; any may write. */
final class GuardChannel implements Closeable {
    private final SocketChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(4096);
    private final StringBuilder partial = new StringBuilder();
    private final Deque<String> lines = new ArrayDeque<>();

    GuardChannel(SocketChannel channel) {
        this.channel = channel;
    }

    /** The next line, or null once the guard is gone. */
    @Nullable
    String read() {
        while (lines.isEmpty()) {
            try {
                if (channel.read(buffer.clear()) < 0) {
                    return null;
                }
            } catch (IOException reset) {
                return null;
            }
            buffer.flip();
            while (buffer.hasRemaining()) {
                char next = (char) buffer.get();
                if (next == '\n') {
                    lines.add(partial.toString());
                    partial.setLength(0);
                } else {
                    partial.append(next);
                }
            }
        }
        return lines.remove();
    }

    /** Writes a line. Does nothing if the guard is gone. */
    synchronized void write(String line) {
        ByteBuffer bytes = StandardCharsets.US_ASCII.encode(line + "\n");
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException gone) {
            // Whoever reads will notice.
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
