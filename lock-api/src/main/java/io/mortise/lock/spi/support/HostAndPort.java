// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import io.mortise.lock.LockConfigurationException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server as a store URL names it: {@code host}, {@code host:port} or {@code [IPv6]:port}. Immutable.
 *
 * @param host the host, an IPv6 address without brackets
 * @param port 1 to 65535
 */
public record HostAndPort(String host, int port) {
    private static final Pattern SYNTAX =
            Pattern.compile("(?:\\[([\\p{L}\\p{N}.:%]+)]|([\\p{L}\\p{N}._-]+))(?::(\\d{1,5}))?");
    private static final int HIGHEST_PORT = 65_535;

    /**
     * {@return the server that a text names} Only what can begin a host stands in messages: the rest is a password if
     * the host was forgotten.
     *
     * @param text the server as it stands in {@link io.mortise.lock.spi.StoreUrl#hosts()}
     * @param defaultPort the port if the text has none
     * @throws LockConfigurationException if the text is not a host, or a host and a port
     */
    public static HostAndPort parse(String text, int defaultPort) {
        Matcher parts = SYNTAX.matcher(text);
        if (parts.matches()) {
            int port = parts.group(3) == null ? defaultPort : Integer.parseInt(parts.group(3));
            if (port >= 1 && port <= HIGHEST_PORT) {
                return new HostAndPort(parts.group(1) == null ? parts.group(2) : parts.group(1), port);
            }
        }
        throw new LockConfigurationException("'" + beginning(text) + "' is not a host and a port, such as localhost:"
                + defaultPort + "; in a user name or a password, write / as %2F, ? as %3F, # as %23 and @ as %40");
    }

    /**
     * {@return all servers of a URL, in their order}
     *
     * @param texts the servers as they stand in {@link io.mortise.lock.spi.StoreUrl#hosts()}
     * @param defaultPort the port of those that have none
     * @throws LockConfigurationException if there is none, if a text is not a host and a port, or if a server stands twice
     */
    public static List<HostAndPort> parseAll(List<String> texts, int defaultPort) {
        List<HostAndPort> servers =
                texts.stream().map(text -> parse(text, defaultPort)).toList();
        if (servers.isEmpty()) {
            throw new LockConfigurationException("the URL names no server, such as //localhost:" + defaultPort);
        }
        for (HostAndPort server : servers) {
            if (servers.indexOf(server) != servers.lastIndexOf(server)) {
                throw new LockConfigurationException("the URL names the server " + server + " twice");
            }
        }
        return servers;
    }

    private static String beginning(String text) {
        return text.replaceFirst("(?s)(?=[^\\p{L}\\p{N}._-])(:?).*", "$1…");
    }

    /** The server as a URL names it. */
    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
