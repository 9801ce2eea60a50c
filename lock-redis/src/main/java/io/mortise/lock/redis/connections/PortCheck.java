// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.connections;

import io.mortise.lock.spi.support.HostAndPort;
import io.mortise.lock.spi.support.TlsProbe;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Finds out, when no server has answered, whether TLS is why: their ports are for TLS and the URL is not, or the other way round; or the
 * client does not accept their certificates, which the driver does not say of Sentinels.
 *
 * @param servers of the URL
 * @param tls whether the client connects with TLS
 */
public record PortCheck(List<HostAndPort> servers, boolean tls) {
    private static final Duration AT_MOST = Duration.ofSeconds(2);
    private static final Duration ALL_AT_MOST = Duration.ofSeconds(2);

    /**
     * What is wrong. Empty if nothing is, or if no server can tell. Asks one after the other until one can, and blocks:
     * while none answers, for a few seconds at most.
     */
    public Optional<String> mistake() {
        long start = System.nanoTime();
        return servers.stream()
                .takeWhile(server -> System.nanoTime() - start < ALL_AT_MOST.toNanos())
                .flatMap(server -> mistake(server).stream())
                .map(mistake -> "no connection to Redis: " + mistake)
                .findFirst();
    }

    private Optional<String> mistake(HostAndPort server) {
        if (!tls) {
            return TlsProbe.speaksTls(server, AT_MOST)
                    ? Optional.of("the port " + server.port() + " of " + server.host()
                            + " is one for TLS; write rediss instead of redis, or name the port without TLS")
                    : Optional.empty();
        }
        return answersWithoutTls(server)
                ? Optional.of("the port " + server.port() + " of " + server.host()
                        + " is one without TLS; write redis instead of rediss, or name the port for TLS")
                : TlsProbe.refusal(server, AT_MOST);
    }

    /** A server answers this with a status or an error, whatever it thinks of the client. */
    private static boolean answersWithoutTls(HostAndPort server) {
        int limitMillis = (int) AT_MOST.toMillis();
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(server.host(), server.port()), limitMillis);
            socket.setSoTimeout(limitMillis);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            int first = socket.getInputStream().read();
            return first == '+' || first == '-';
        } catch (IOException noAnswer) {
            return false;
        }
    }
}
