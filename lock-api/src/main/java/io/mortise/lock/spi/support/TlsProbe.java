// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Connects to a server with TLS, and does nothing else there: for a client that got no answer and whose driver does not say why. Trusts
 * what the JVM trusts, and checks the host name.
 */
public final class TlsProbe {
    private TlsProbe() {}

    /**
     * Finds out whether a server speaks TLS: if it does, it answers a client without TLS by closing the connection, or not at all.
     * Blocks, and does not heed interrupts.
     *
     * @param server where to ask
     * @param atMost how long connecting may take, and each answer of the server
     * @return true if the server has answered as only one with TLS does, even if client and server do not trust each other; false if
     *     not, or if that cannot be found out
     */
    public static boolean speaksTls(HostAndPort server, Duration atMost) {
        try {
            shakeHands(server, atMost);
            return true;
        } catch (SSLHandshakeException refusal) {
            return !(refusal.getCause() instanceof EOFException);
        } catch (IOException noAnswer) {
            return false;
        }
    }

    /**
     * Finds out why client and server do not agree on a TLS connection. Blocks, and does not heed interrupts.
     *
     * @param server where to ask
     * @param atMost how long connecting may take, and each answer of the server
     * @return as {@link TlsRefusal#of}; empty also if they do agree
     */
    public static Optional<String> refusal(HostAndPort server, Duration atMost) {
        try {
            shakeHands(server, atMost);
            return Optional.empty();
        } catch (IOException failure) {
            return TlsRefusal.of(failure);
        }
    }

    private static void shakeHands(HostAndPort server, Duration atMost) throws IOException {
        int limitMillis = (int) Math.max(1, atMost.toMillis());
        SSLSocketFactory sockets = (SSLSocketFactory) SSLSocketFactory.getDefault();
        try (Socket plain = new Socket()) {
            plain.connect(new InetSocketAddress(server.host(), server.port()), limitMillis);
            plain.setSoTimeout(limitMillis);
            try (SSLSocket secured = (SSLSocket) sockets.createSocket(plain, server.host(), server.port(), true)) {
                SSLParameters parameters = secured.getSSLParameters();
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
                secured.setSSLParameters(parameters);
                secured.startHandshake();
            }
        }
    }
}
