// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The threads of spymemcached in this JVM. */
public final class DriverThreads {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private DriverThreads() {}

    public static Set<Thread> running() {
        return traces().keySet();
    }

    /** Waits until those that began after {@code before} have ended; else fails, and shows where they are. */
    public static void awaitOnly(Set<Thread> before) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            Map<Thread, StackTraceElement[]> more = traces();
            more.keySet().removeAll(before);
            assertThat(more).isEmpty();
        });
    }

    private static Map<Thread, StackTraceElement[]> traces() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(entry -> entry.getKey().getClass().getName().startsWith("net.spy"))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
