// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.process;

import static java.time.temporal.ChronoUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientClockTest {
    @ParameterizedTest
    @ValueSource(ints = {10, -10})
    void aProgramHasAnotherTimeOfDayAndNothingElseChanges(int minutes) {
        ProcessBuilder child = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Clocks.class.getName());
        child.environment().putAll(ClientClock.environment(Duration.ofMinutes(minutes)));
        long before = System.nanoTime();
        String[] said = CommandResult.of(child).out().strip().split(" ");

        assertThat(Instant.parse(said[0])).isCloseTo(Instant.now().plus(minutes, MINUTES), within(2, MINUTES));
        assertThat(Long.parseLong(said[1])).isBetween(before, System.nanoTime());
        assertThat(Long.parseLong(said[2])).as("a wait of 200 ms").isGreaterThanOrEqualTo(199);
    }

    /** What the child runs. */
    static final class Clocks {
        private Clocks() {}

        public static void main(String[] args) {
            long begin = System.nanoTime();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
            long end = System.nanoTime();
            System.out.println(Instant.now() + " " + end + " " + TimeUnit.NANOSECONDS.toMillis(end - begin));
        }
    }
}
