// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** The page of the documents that tells what was measured, and how. */
final class Page {
    private Page() {}

    /** On what it was measured. */
    static String machine(int rounds, Duration turn) throws IOException {
        return "Measured by ./bench on %s, with %d processors and all servers on the same machine, Java %s, %s; turns of %s in %d rounds"
                .formatted(
                        LocalDate.now(ZoneOffset.UTC),
                        Runtime.getRuntime().availableProcessors(),
                        Runtime.version(),
                        processor(),
                        turn.toMillis() + " ms",
                        rounds);
    }

    static String of(int rounds, Duration turn, String tables) throws IOException {
        return """
                # Performance

                What a lock costs depends on its store. So each table compares with a reference on the same store: the fewest commands that any safe lock
                could send, by the same driver where that makes sense, with connections that threads share. The reference has no renewal, no waiting, no
                tokens and no notice of a loss.

                    ./bench

                writes this page anew, and [the same as bars](performance.html).

                %s; three times as long for one lock that all want. Each ratio compares two turns of one round, and stands as the median (the
                least to the greatest). Other machines and a real network give other figures: on a network the number of round trips counts most. Turns
                of less than a second also show code that is still being compiled.

                %s""".formatted(machine(rounds, turn), tables);
    }

    private static String processor() throws IOException {
        Path file = Path.of("/proc/cpuinfo");
        return !Files.isReadable(file)
                ? System.getProperty("os.arch")
                : Files.readAllLines(file).stream()
                        .filter(line -> line.startsWith("model name"))
                        .map(line -> line.substring(line.indexOf(':') + 2).strip())
                        .findFirst()
                        .orElse(System.getProperty("os.arch"));
    }
}
