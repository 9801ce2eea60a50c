// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.curator.framework.recipes.locks.LockInternals;
import org.apache.curator.framework.recipes.locks.LockInternalsSorter;

/**
 * Sorts the nodes of one queue by their sequence: a node is {@code OWNER-SEQUENCE}, where {@link NodeNames} made the first
 * half and ZooKeeper added the sequence. All other nodes are foreign and are ignored.
 *
 * <p>ZooKeeper's sequence is an {@code int} that overflows into negative numbers. Nodes that exist at the same time are less
 * than 2<sup>31</sup> apart, so their differences give the order even then.
 */
public final class QueueOrder {
    private static final Pattern OURS = Pattern.compile("([0-9a-f]{32})-(\\d{10}|-\\d{9,10})");

    private QueueOrder() {}

    /** The nodes of the queue, first come first. */
    public static List<String> inOrder(List<String> children) {
        List<String> ours = new ArrayList<>(children);
        ours.removeIf(name -> !OURS.matcher(name).matches());
        if (ours.isEmpty()) {
            return ours;
        }
        int some = sequence(ours.get(0));
        LockInternalsSorter sorter = (name, unused) ->
                String.format(Locale.ROOT, "%010d", (sequence(name) - some) - (long) Integer.MIN_VALUE);
        return LockInternals.getSortedChildren("", sorter, ours);
    }

    /** The node before a node, or empty if it is the first. */
    public static Optional<String> before(List<String> inOrder, String node) {
        int place = inOrder.indexOf(node);
        return place > 0 ? Optional.of(inOrder.get(place - 1)) : Optional.empty();
    }

    private static int sequence(String name) {
        Matcher matcher = OURS.matcher(name);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a node of a queue: " + name);
        }
        return Integer.parseInt(matcher.group(2));
    }
}
