// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import io.mortise.lock.LockHolder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Checksum;

/** Wrong ways to make keys of names, which are right for most names. */
final class WrongKeys {
    private WrongKeys() {}

    /** The key is a 32-bit number, as of an advisory lock. */
    static final class StringHash extends TinyStore {
        @Override
        String key(String lock) {
            return String.valueOf(lock.hashCode());
        }
    }

    /** The key is a checksum. */
    static final class Crc32 extends TinyStore {
        @Override
        String key(String lock) {
            return checksum(new CRC32(), lock);
        }
    }

    /** The key is a checksum that is weak for short names. */
    static final class Adler extends TinyStore {
        @Override
        String key(String lock) {
            return checksum(new Adler32(), lock);
        }
    }

    /** The key is a hash without a secret, 32 bits of it. */
    static final class Fnv extends TinyStore {
        @Override
        String key(String lock) {
            int hash = 0x811C9DC5;
            for (byte each : lock.getBytes(StandardCharsets.UTF_8)) {
                hash = (hash ^ (each & 0xFF)) * 0x01000193;
            }
            return String.valueOf(hash);
        }
    }

    /** The key is the beginning of a digest. */
    static final class ShortDigest extends TinyStore {
        private final String algorithm;

        ShortDigest(String algorithm) {
            this.algorithm = algorithm;
        }

        @Override
        String key(String lock) {
            try {
                byte[] digest = MessageDigest.getInstance(algorithm).digest(lock.getBytes(StandardCharsets.UTF_8));
                return String.valueOf(ByteBuffer.wrap(digest).getInt());
            } catch (NoSuchAlgorithmException missing) {
                throw new IllegalStateException(missing);
            }
        }
    }

    /** Long names keep their beginning, and a checksum stands for the rest. */
    static final class LongNamesEndInAChecksum extends TinyStore {
        @Override
        String key(String lock) {
            return lock.length() < 255 ? lock : lock.substring(0, 200) + checksum(new CRC32(), lock);
        }
    }

    /** Long names lose their middle. */
    static final class CutsTheMiddle extends TinyStore {
        @Override
        String key(String lock) {
            int length = lock.length();
            return length < 255 ? lock : lock.substring(0, 120) + "..." + lock.substring(length - 120);
        }
    }

    /** Long names lose their beginning, because the end tells more. */
    static final class CutsTheBeginning extends TinyStore {
        @Override
        String key(String lock) {
            return lock.substring(Math.max(0, lock.length() - 250));
        }
    }

    /** A column of so many characters for the name, and the whole length beside it. */
    static final class CutsAndKeepsTheLength extends TinyStore {
        private final int most;

        CutsAndKeepsTheLength(int most) {
            this.most = most;
        }

        @Override
        String key(String lock) {
            return lock.substring(0, Math.min(most, lock.length())) + " " + lock.length();
        }
    }

    /** Trims names, as forms do. */
    static final class Trims extends TinyStore {
        @Override
        String key(String lock) {
            return lock.stripLeading();
        }
    }

    /** A path has no slash in front. */
    static final class IsRelative extends TinyStore {
        @Override
        String key(String lock) {
            return lock.startsWith("/") ? lock.substring(1) : lock;
        }
    }

    /** Drops what a terminal would not print, for the logs. */
    static final class DropsEscapes extends TinyStore {
        @Override
        String key(String lock) {
            return lock.replaceAll("[\u0001-\u0008\u000e-\u001f\u007f]", "");
        }
    }

    /** The separator of its own keys is replaced in names. */
    static final class SeparatesByColons extends TinyStore {
        @Override
        String key(String lock) {
            return lock.replace(':', '|');
        }
    }

    /** Keeps only the low byte of what Latin has with a bar or a hook. */
    static final class LowByteOfExtendedLatin extends TinyStore {
        @Override
        String key(String lock) {
            StringBuilder key = new StringBuilder();
            lock.chars().forEach(each -> key.append((char) (each >= 0x100 && each < 0x180 ? each & 0xFF : each)));
            return key.toString();
        }
    }

    /** NUL is two bytes, as in Java's own UTF-8, and these two bytes are Latin characters. */
    static final class NulInTwoBytes extends TinyStore {
        @Override
        String key(String lock) {
            return lock.replace("\0", "\u00c0\u0080");
        }
    }

    /** Escapes the slash, and not the escape. */
    static final class EscapesOnlySlashes extends TinyStore {
        @Override
        String key(String lock) {
            return lock.replace("/", "%2F");
        }
    }

    /** Escapes line breaks, and not the backslash. */
    static final class EscapesOnlyLineBreaks extends TinyStore {
        @Override
        String key(String lock) {
            return lock.replace("\n", "\\n");
        }
    }

    /** Line breaks are those of the host. */
    static final class ChangesLineBreaks extends TinyStore {
        @Override
        String key(String lock) {
            return lock.replace("\r\n", "\n");
        }
    }

    /** A path in which dots mean something. */
    static final class ResolvesDots extends TinyStore {
        @Override
        String key(String lock) {
            return lock.replace("/./", "/").replace("a/../", "");
        }
    }

    /** Compares what look like numbers as numbers. */
    static final class ComparesNumbers extends TinyStore {
        @Override
        String key(String lock) {
            return lock.matches("0[0-9]+") ? lock.replaceFirst("^0+(?=.)", "") : lock;
        }
    }

    /** Takes the quotes off. */
    static final class Unquotes extends TinyStore {
        @Override
        String key(String lock) {
            return lock.replaceAll("(?<=.)\"(?=a)|(?<=b)\"$", "");
        }
    }

    /** Keeps the locks by their names, and frees what has the hash of the name. */
    static final class FreesByHash extends TinyStore {
        @Override
        void remove(TinyClaim claim) {
            int hash = claim.request.lock().hashCode();
            entries.values().removeIf(entry -> entry.claim.request.lock().hashCode() == hash);
        }
    }

    /** Compares the names of long locks in their first characters when it looks who holds. */
    static final class LooksAtTheBeginning extends TinyStore {
        @Override
        Optional<LockHolder> inspect(String lock) {
            synchronized (this) {
                String first = lock.substring(0, Math.min(255, lock.length()));
                List<Entry> like = entries.values().stream()
                        .filter(entry -> entry.claim.request.lock().startsWith(first) && entry.until - now() > 0)
                        .filter(entry -> lock.length() > 255 || key(lock).equals(key(entry.claim)))
                        .toList();
                return like.stream().findFirst().map(this::holder);
            }
        }
    }

    private static String checksum(Checksum checksum, String lock) {
        byte[] bytes = lock.getBytes(StandardCharsets.UTF_8);
        checksum.update(bytes, 0, bytes.length);
        return String.valueOf(checksum.getValue());
    }

    /** The key is what stands in braces, as for the slots of a cluster. */
    static final class TakesWhatIsInBraces extends TinyStore {
        @Override
        String key(String lock) {
            int open = lock.indexOf('{');
            int close = lock.indexOf('}', open + 1);
            return open >= 0 && close > open + 1 ? lock.substring(open + 1, close) : lock;
        }
    }

    /** Keeps only the lower half of characters that are pairs in UTF-16. */
    static final class LowHalfOfPairs extends TinyStore {
        @Override
        String key(String lock) {
            StringBuilder key = new StringBuilder();
            lock.codePoints().forEach(point -> key.append((char) point));
            return key.toString();
        }
    }

    /** A collation that ignores characters without a width. */
    static final class IgnoresWhatHasNoWidth extends TinyStore {
        @Override
        String key(String lock) {
            return lock.replaceAll("[\\ufe00-\\ufe0f\\u2060]", "");
        }
    }
}
