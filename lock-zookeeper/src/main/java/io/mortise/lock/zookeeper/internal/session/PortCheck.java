// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.session;

import io.mortise.lock.spi.support.HostAndPort;
import io.mortise.lock.spi.support.TlsProbe;
import io.mortise.lock.spi.support.TlsRefusal;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.apache.zookeeper.common.ClientX509Util;
import org.apache.zookeeper.common.X509Exception;

/**
 * Finds out, when there is no connection, whether TLS is why. ZooKeeper's client does not say: it logs what is wrong, and tries again for
 * ever.
 *
 * @param servers of the URL
 */
public record PortCheck(List<HostAndPort> servers) {
    private static final Logger LOG = System.getLogger(PortCheck.class.getName());
    private static final Duration AT_MOST = Duration.ofSeconds(2);
    private static final Duration ALL_AT_MOST = Duration.ofSeconds(2);

    /**
     * What is wrong. Empty if nothing is, or if no server can tell. Asks one after the other until one can, and blocks:
     * while none answers, for a few seconds at most.
     */
    public Optional<String> mistake() {
        boolean tls = ClientSettings.isTlsWanted();
        long start = System.nanoTime();
        return servers.stream()
                .takeWhile(server -> System.nanoTime() - start < ALL_AT_MOST.toNanos())
                .flatMap(server -> (tls ? mistakeWithTls(server) : mistakeWithoutTls(server)).stream())
                .map(mistake -> "no connection to ZooKeeper: " + mistake)
                .findFirst();
    }

    private static Optional<String> mistakeWithoutTls(HostAndPort server) {
        return TlsProbe.speaksTls(server, AT_MOST)
                ? Optional.of("the port " + server.port() + " of " + server.host()
                        + " is one for TLS; set zookeeper.client.secure, or name the port without TLS")
                : Optional.empty();
    }

    private static Optional<String> mistakeWithTls(HostAndPort server) {
        // In this order: a server with TLS waits for more than the four bytes of a command.
        return refusal(server)
                .or(() -> answersWithoutTls(server)
                        ? Optional.of("the port " + server.port() + " of " + server.host()
                                + " is one without TLS; name the port for TLS, or do not set zookeeper.client.secure")
                        : Optional.empty());
    }

    /** Any answer to this command is one: that it is not allowed, too. */
    private static boolean answersWithoutTls(HostAndPort server) {
        try (Socket socket = new Socket()) {
            connect(socket, server);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            int first = socket.getInputStream().read();
            return Character.isLetter(first);
        } catch (IOException noAnswer) {
            return false;
        }
    }

    /** Trusts what ZooKeeper's client trusts, and checks the host name as that does. */
    private static Optional<String> refusal(HostAndPort server) {
        try (ClientX509Util settings = new ClientX509Util();
                SSLSocket socket = settings.createSSLSocket()) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
            connect(socket, server);
            socket.startHandshake();
            return Optional.empty();
        } catch (IOException failure) {
            return TlsRefusal.of(failure);
        } catch (X509Exception wrong) {
            LOG.log(Level.DEBUG, "the settings of ZooKeeper's client for TLS are wrong", wrong);
            return Optional.of("the settings zookeeper.ssl.… of ZooKeeper's client are wrong: " + wrong.getMessage());
        }
    }

    private static void connect(Socket socket, HostAndPort server) throws IOException {
        int limitMillis = (int) AT_MOST.toMillis();
        // Of an address, ZooKeeper's client looks up the name, too.
        InetAddress found = InetAddress.getByName(server.host());
        InetAddress named = InetAddress.getByAddress(found.getHostName(), found.getAddress());
        socket.connect(new InetSocketAddress(named, server.port()), limitMillis);
        socket.setSoTimeout(limitMillis);
    }
}
