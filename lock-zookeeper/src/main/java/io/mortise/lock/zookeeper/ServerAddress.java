// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import io.mortise.lock.LockConfigurationException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server as a URL names it. */
final class ServerAddress {
    private static final Pattern SYNTAX = Pattern.compile("(?:\\[[^\\[\\]]+]|[^:\\[\\]\\s]+)(?::(\\d{1,5}))?");
    private static final int HIGHEST_PORT = 65_535;

    private ServerAddress() {}

    /**
     * Looks whether it is a host, or a host and a port. What stands after a colon is not told, and not left to ZooKeeper's log:
     * it is the password if the host was forgotten.
     *
     * @throws LockConfigurationException if it is not
     */
    static void check(String server) {
        Matcher parts = SYNTAX.matcher(server);
        boolean fits = parts.matches();
        if (fits && parts.group(1) != null) {
            int port = Integer.parseInt(parts.group(1));
            fits = port > 0 && port <= HIGHEST_PORT;
        }
        if (!fits) {
            throw new LockConfigurationException("'" + server.replaceFirst(":.*", ":…")
                    + "' is not a host and a port, such as localhost:2181; a slash in a user name or a password is"
                    + " written %2F");
        }
    }
}
