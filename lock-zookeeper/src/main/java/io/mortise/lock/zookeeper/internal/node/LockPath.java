// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.node;

import java.util.Optional;

/**
 * The path of a lock's queue: one segment made from the lock's name, in one of 256 shards, so that no list of children
 * outgrows what a client accepts in one answer. If the {@link AsciiText} of a name is longer than {@value #LONGEST}
 * characters, the segment has its beginning, a tilde and the SHA-256 of the whole; the nodes hold the whole name. No code
 * contains a tilde, so different names have different segments. Stable forever: versions of this library share ensembles.
 */
public record LockPath(String shard, String segment) {
    public static final int LONGEST = 200;
    public static final int HEAD = 120;

    private static final String EMPTY = "%";

    public static LockPath of(String lock) {
        String code = lock.isEmpty() ? EMPTY : AsciiText.encode(lock);
        String hash = AsciiText.sha256(lock);
        String segment = code.length() <= LONGEST ? code : code.substring(0, HEAD) + "~" + hash;
        // A segment of one or two dots means something else to ZooKeeper.
        return new LockPath(hash.substring(0, 2), segment.startsWith(".") ? "%002e" + segment.substring(1) : segment);
    }

    /** The name, if the segment is ours and holds all of it. */
    public static Optional<String> name(String segment) {
        if (segment.equals(EMPTY)) {
            return Optional.of("");
        }
        try {
            return segment.indexOf('~') < 0 ? Optional.of(AsciiText.decode(segment)) : Optional.empty();
        } catch (IllegalArgumentException notOurs) {
            return Optional.empty();
        }
    }
}
