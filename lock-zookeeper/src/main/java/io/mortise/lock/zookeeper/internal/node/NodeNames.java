// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.node;

import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes the names of one claim's nodes, without the sequence that ZooKeeper adds. All have the same prefix, so that a node
 * whose creation was not answered can be found; no two are the same, so that a repeated deletion never hits a later node.
 * Sequences alone would not suffice: they begin again after the queue was removed. Thread-safe.
 */
public final class NodeNames {
    private final String prefix;
    private final AtomicInteger count = new AtomicInteger();

    /** For the claim of an owner. The names do not show the owner, because logs and messages show the names. */
    public NodeNames(String owner) {
        prefix = AsciiText.sha256(owner).substring(0, 24);
    }

    /** The prefix of all names of this claim, and of no other. */
    public String prefix() {
        return prefix;
    }

    public String next() {
        return prefix + HexFormat.of().toHexDigits(count.incrementAndGet()) + "-";
    }
}
