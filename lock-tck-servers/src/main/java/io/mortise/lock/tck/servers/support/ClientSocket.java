// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.support;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** Connects to servers that may not answer. */
public final class ClientSocket {
    private ClientSocket() {}

    /** A connection that throws if connecting, or any one read, takes longer than the limit. */
    public static Socket connect(String host, int port, int limitMillis) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), limitMillis);
            socket.setSoTimeout(limitMillis);
            socket.setTcpNoDelay(true);
            return socket;
        } catch (IOException failure) {
            socket.close();
            throw failure;
        }
    }
}
