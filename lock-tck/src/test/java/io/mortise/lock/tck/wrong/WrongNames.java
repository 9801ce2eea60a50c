// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;

/** Wrong ways to tell names apart. */
final class WrongNames {
    private WrongNames() {}

    /** A collation that ignores case. */
    static final class IgnoresCase extends TinyStore {
        @Override
        String key(String lock) {
            return lock.toLowerCase(Locale.ROOT);
        }
    }

    /** Trailing blanks do not count, as in CHAR columns. */
    static final class IgnoresTrailingBlanks extends TinyStore {
        @Override
        String key(String lock) {
            return lock.stripTrailing();
        }
    }

    /** Normalises. */
    static final class Normalises extends TinyStore {
        @Override
        String key(String lock) {
            return Normalizer.normalize(lock, Normalizer.Form.NFC);
        }
    }

    /** A column of 250 characters. */
    static final class CutsLongNames extends TinyStore {
        @Override
        String key(String lock) {
            return lock.substring(0, Math.min(250, lock.length()));
        }
    }

    /** A fixed number of buckets. */
    static final class HashesIntoBuckets extends TinyStore {
        @Override
        String key(String lock) {
            return String.valueOf(Math.floorMod(lock.hashCode(), 64));
        }
    }

    /** UTF-8, in which all unpaired surrogates are one question mark. */
    static final class LosesSurrogates extends TinyStore {
        @Override
        String key(String lock) {
            return new String(lock.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        }
    }

    /** A held child holds its parent. */
    static final class ParentsAreHeldWithChildren extends TinyStore {
        @Override
        String key(String lock) {
            int slash = lock.indexOf('/');
            return slash < 0 ? lock : lock.substring(0, slash);
        }
    }

    /** Trims the label of a holder. */
    static final class TrimsLabels extends TinyStore {
        @Override
        String label(Entry entry) {
            return super.label(entry).strip();
        }
    }

    /** The prefix of a listing is a LIKE pattern. */
    static final class PrefixIsAPattern extends TinyStore {
        @Override
        boolean matches(String lock, String prefix) {
            String pattern = Pattern.quote(prefix)
                    .replace("_", "\\E.\\Q")
                    .replace("%", "\\E.*\\Q")
                    .replace("\\Q\\E", "");
            return Pattern.compile(pattern + ".*", Pattern.DOTALL).matcher(lock).matches();
        }
    }
}
