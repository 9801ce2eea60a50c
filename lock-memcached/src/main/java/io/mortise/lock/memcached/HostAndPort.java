// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import io.mortise.lock.LockConfigurationException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server as a URL names it. */
record HostAndPort(String host, int port) {
    private static final int DEFAULT_PORT = 11211;
    private static final Pattern SYNTAX = Pattern.compile("(\\[[^\\]]+\\]|[^:\\[\\]]+)(?::(\\d{1,5}))?");

    /** All servers of a URL. */
    static List<HostAndPort> all(List<String> texts) {
        if (texts.isEmpty()) {
            throw new LockConfigurationException(
                    "a memcached URL names its servers: memcached://host:11211,host2:11211");
        }
        List<HostAndPort> hosts = texts.stream().map(HostAndPort::parse).toList();
        if (hosts.stream().distinct().count() < hosts.size()) {
            throw new LockConfigurationException("a server stands twice in the memcached URL");
        }
        return hosts;
    }

    /** What stands after a colon is not told: it is the password if the host was forgotten. */
    private static HostAndPort parse(String text) {
        Matcher parts = SYNTAX.matcher(text);
        int port = 0;
        if (parts.matches()) {
            port = parts.group(2) == null ? DEFAULT_PORT : Integer.parseInt(parts.group(2));
        }
        if (port < 1 || port > 65_535) {
            throw new LockConfigurationException(
                    "'" + text.replaceFirst(":.*", ":…") + "' is not a host and a port, such as localhost:11211");
        }
        return new HostAndPort(parts.group(1).replaceAll("[\\[\\]]", ""), port);
    }

    /** The address, looked up once. */
    InetSocketAddress resolved() {
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new LockConfigurationException("there is no address for the memcached host '" + host + "'");
        }
        return address;
    }
}
