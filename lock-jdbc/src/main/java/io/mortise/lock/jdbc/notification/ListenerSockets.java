// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.notification;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import javax.net.SocketFactory;

/**
 * Sockets for connections that listen for notifications. After each notification, PostgreSQL's driver waits for a millisecond
 * whether another follows; these sockets tell it at once. The driver makes this factory by its name. Thread-safe.
 */
public final class ListenerSockets extends SocketFactory {
    /** How long the driver waits then. Its other waits are longer, or have no end. */
    private static final int PEEK_MILLIS = 1;

    /** For the driver. */
    public ListenerSockets() {}

    @Override
    public Socket createSocket() {
        return new ListenerSocket();
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return getDefault().createSocket(host, port);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        return getDefault().createSocket(host, port, localHost, localPort);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return getDefault().createSocket(host, port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) throws IOException {
        return getDefault().createSocket(host, port, localHost, localPort);
    }

    private static final class ListenerSocket extends Socket {
        private volatile boolean peeks;

        @Override
        public synchronized void setSoTimeout(int millis) throws SocketException {
            peeks = millis == PEEK_MILLIS;
            super.setSoTimeout(millis);
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read() throws IOException {
                    endPeek();
                    return in.read();
                }

                @Override
                public int read(byte[] bytes, int offset, int length) throws IOException {
                    endPeek();
                    return in.read(bytes, offset, length);
                }

                private void endPeek() throws SocketTimeoutException, IOException {
                    if (peeks && in.available() == 0) {
                        throw new SocketTimeoutException("nothing has arrived");
                    }
                }
            };
        }
    }
}
