// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.node;

import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The names that one claim gives its nodes, but for the sequence that ZooKeeper adds. All begin alike, so that a node of
 * which nobody has heard is found; no two are the same, so that a deletion which is repeated hits no later node. Sequences
 * alone would not do: they begin again when the queue was removed. Thread-safe.
 */
public final class NodeNames {
    private final String prefix;
    private final AtomicInteger count = new AtomicInteger();

    /** Of the claim of an owner, who does not show in them: names are seen in logs and messages. */
    public NodeNames(String owner) {
        prefix = AsciiText.sha256(owner).substring(0, 24);
    }

    /** What all of them begin with, and none of another claim. */
    public String prefix() {
        return prefix;
    }

    public String next() {
        return prefix + HexFormat.of().toHexDigits(count.incrementAndGet()) + "-";
    }
}
