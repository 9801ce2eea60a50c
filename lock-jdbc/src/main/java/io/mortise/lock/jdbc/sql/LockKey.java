// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import io.mortise.lock.spi.support.Sha256;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The name of a lock as it is stored in the table, with the primary key that is made from the name. The primary key is
 * the name's {@link AsciiText}; of a name whose code is longer than {@value #LONGEST} characters, the beginning, a
 * tilde and a SHA-256 of the whole, which then stands beside it. No code contains a tilde, so different names have
 * different keys. Stable forever: versions of this library share tables.
 *
 * @param key the primary key: 1 to {@value #LONGEST} lower-case ASCII characters
 * @param text the whole code if the key does not hold it, else null
 */
public record LockKey(String key, @Nullable String text) {
    static final int LONGEST = 193;
    static final int HEAD = 128;

    /** The key of the row that belongs to the table and not to a lock. After all others. */
    public static final String TABLE_ROW = "~";

    /** The key of the empty name, which some databases cannot tell from null. Before all others. */
    private static final String EMPTY = "%";

    public static LockKey of(String name) {
        if (name.isEmpty()) {
            return new LockKey(EMPTY, null);
        }
        String code = AsciiText.encode(name);
        return code.length() <= LONGEST
                ? new LockKey(code, null)
                : new LockKey(
                        code.substring(0, HEAD) + "~" + Sha256.hex(code.getBytes(StandardCharsets.US_ASCII)), code);
    }

    /** The name that was stored so. */
    public static String name(String key, @Nullable String text) {
        return key.equals(EMPTY) ? "" : AsciiText.decode(text == null ? key : text);
    }

    /** What the keys of all names with a prefix begin with; those of some other names do too. */
    public static String commonHead(String prefix) {
        String code = AsciiText.encode(prefix);
        return code.length() <= HEAD ? code : code.substring(0, HEAD);
    }
}
