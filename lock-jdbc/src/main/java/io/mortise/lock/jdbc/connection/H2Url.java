// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.connection;

import io.mortise.lock.LockConfigurationException;
import java.util.Locale;
import java.util.regex.Pattern;

/** What our own connections need of an H2 URL. */
public final class H2Url {
    private static final String SCHEME = "jdbc:h2:";
    private static final String MEMORY = "jdbc:h2:mem:";
    private static final Pattern USER_INFO = Pattern.compile("//[^/;]*@");

    private H2Url() {}

    /**
     * The URL of a database that keeps what it was told; other URLs as they are. One in memory outlives its last
     * connection, one on disk writes each commit before it answers. A setting in the URL holds for each opening of the
     * database, also when a surviving process takes over its file; SET alone does not.
     */
    public static String keeping(String url) {
        if (!isPrefix(SCHEME, url)) {
            return url;
        }
        if (USER_INFO.matcher(url).find()) {
            throw new LockConfigurationException(
                    "the URL of an H2 database has no user and password before its host; write ;USER=…;PASSWORD=…");
        }
        if (!isPrefix(MEMORY, url)) {
            return with("WRITE_DELAY=0", url);
        }
        if (url.substring(MEMORY.length()).split(";", 2)[0].isEmpty()) {
            throw new LockConfigurationException("every connection to " + MEMORY
                    + " has a database of its own, so no lock would exclude anybody; give it a name, as in " + MEMORY
                    + "locks");
        }
        return with("DB_CLOSE_DELAY=-1", url);
    }

    private static boolean isPrefix(String prefix, String url) {
        return url.regionMatches(true, 0, prefix, 0, prefix.length());
    }

    /** The URL with a setting, unless it sets it already. */
    private static String with(String setting, String url) {
        String name = setting.substring(0, setting.indexOf('=') + 1);
        return url.toUpperCase(Locale.ROOT).contains(";" + name) ? url : url + ";" + setting;
    }
}
