// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;

/** What tests of scale measure and print. */
final class Measured {
    private Measured() {}

    /** The bytes of this JVM's heap that its garbage collector could not free: the least of a few collections. */
    static long heap() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            // Not what is in use a moment later: other threads go on making garbage.
            long kept = ManagementFactory.getMemoryPoolMXBeans().stream()
                    .filter(pool -> pool.getType() == MemoryType.HEAP)
                    .mapToLong(pool -> pool.getCollectionUsage().getUsed())
                    .sum();
            least = Math.min(least, kept);
        }
        return least;
    }

    /** A URL without what changes from run to run. */
    static String store(String url) {
        return url.replaceFirst("(jdbc:sqlite:|redis:).*", "$1…");
    }
}
