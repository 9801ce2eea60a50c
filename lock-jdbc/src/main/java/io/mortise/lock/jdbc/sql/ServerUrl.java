// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import io.mortise.lock.LockConfigurationException;
import java.util.regex.Pattern;

/** Refuses the URL of a database server that has a user and password before its host, and defines the socket time-out of all such URLs. */
final class ServerUrl {
    /** Much longer than any statement of ours; where a server does not answer for so long, the connection is lost. */
    static final int NO_ANSWER_SECONDS = 15;

    private static final Pattern USER_INFO = Pattern.compile("[^/]*//[^/?;]*@.*", Pattern.DOTALL);

    private ServerUrl() {}

    /**
     * The URL, unless it has a user where its driver looks for a host, and quotes it.
     *
     * @throws LockConfigurationException if it has
     */
    static String withoutUserInfo(String url) {
        if (USER_INFO.matcher(url).matches()) {
            throw new LockConfigurationException("the URL of a PostgreSQL or MariaDB database has no user and password"
                    + " before its host; write ?user=…&password=…");
        }
        return url;
    }
}
