// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of cron start in the same second. The page of the command tells how to measure it with more of them. */
class StartTogetherTest {
    private static final int JOBS = 30;

    /** Each of them starts a JVM: this is how long the processors may take for all. */
    private static final Duration ENOUGH = Duration.ofMinutes(10);

    @TempDir
    private Path directory;

    @Test
    @DisplayName(
            "of thirty that start together on a store that is not there yet, one runs and all others are told that it is busy")
    void oneRuns() throws IOException {
        List<Mortise> jobs = new ArrayList<>();
        try {
            for (int i = 0; i < JOBS; i++) {
                // The one that runs holds the lock until it has seen the others end.
                jobs.add(Mortise.start(
                        directory,
                        "run",
                        "--no-wait",
                        "nightly",
                        "--",
                        "sh",
                        "-c",
                        "echo >> ran; while [ ! -e go ]; do sleep 0.1; done"));
            }
            Processes.until(() -> jobs.stream().filter(job -> !job.isAlive()).count() >= JOBS - 1, ENOUGH);
            Files.createFile(directory.resolve("go"));
            List<Integer> expected = new ArrayList<>(Collections.nCopies(JOBS - 1, 75));
            expected.add(0);
            assertThat(jobs.stream().map(job -> job.exitCode(ENOUGH)).toList())
                    .as(() -> "what they wrote: "
                            + jobs.stream().map(Mortise::err).distinct().toList())
                    .containsExactlyInAnyOrderElementsOf(expected);
            assertThat(directory.resolve("ran")).hasContent("\n");
        } finally {
            jobs.forEach(Mortise::close);
        }
    }
}
