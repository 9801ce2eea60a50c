// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import java.util.Locale;

/** Where releases in a table are told: each notification carries the key of a row. */
final class PostgresChannel {
    /** The server's limit for names. */
    private static final int LONGEST = 63;

    private PostgresChannel() {}

    /** The channel of a table. Two tables may share one: needless wake-ups are harmless. */
    static String of(String table) {
        String name = table.toLowerCase(Locale.ROOT);
        return name.substring(Math.max(0, name.length() - LONGEST));
    }
}
