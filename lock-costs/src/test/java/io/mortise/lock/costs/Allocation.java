// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.costs;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/** How much memory each thread of this process has allocated until a moment, in bytes by its number. */
record Allocation(Map<Long, Long> threads) {
    static Allocation now() {
        ThreadMXBean counters = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long[] ids = counters.getAllThreadIds();
        long[] bytes = counters.getThreadAllocatedBytes(ids);
        Map<Long, Long> threads = new HashMap<>();
        for (int i = 0; i < ids.length; i++) {
            threads.put(ids[i], bytes[i]);
        }
        return new Allocation(threads);
    }

    /** By all threads that live, the new ones included. */
    long since(Allocation before) {
        return threads.entrySet().stream()
                .mapToLong(thread -> thread.getValue() - before.threads.getOrDefault(thread.getKey(), 0L))
                .sum();
    }
}
