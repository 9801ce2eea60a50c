// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.costs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that takes one lock and ends spends most of its time on loading classes, so it loads no more than it needs. */
@Timeout(300)
class FirstLockTest {
    /** JDK 25 loads up to 8 % more than 17. */
    private static final double TOLERATED = 1.15;

    /** Each is the face of something that takes a tenth of a second or more: jdbi, and TLS, which none of these stores is asked for. */
    private static final List<String> UNWANTED =
            List.of("org.jdbi.v3.core.Jdbi", "org.jdbi.v3.core.Handle", "sun.security.ssl.SSLContextImpl");

    @ParameterizedTest
    @EnumSource
    void itLoadsNoMoreClassesThanRecorded(Store store, @TempDir Path directory) throws Exception {
        List<String> classes;
        try (Store.Running running = store.start()) {
            classes = FirstLock.classes(running.url(), directory.resolve("classes.log"));
        }
        System.out.printf("%s: %d classes for a first lock%n", store, classes.size());

        assertThat(classes).contains("io.mortise.lock.Lease").doesNotContainAnyElementsOf(UNWANTED);
        assertThat(classes.size()).isBetween(store.classes / 2, (int) (store.classes * TOLERATED));
    }
}
