// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static io.mortise.lock.jdbc.Client.ENOUGH;
import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.spi.Claim;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** H2 closes the database of the whole JVM when an interrupt meets its file; no interrupt of a caller may get there. */
class InterruptsTest {
    @TempDir
    Path folder;

    @Test
    void interruptsOfCallersNeverReachTheFileOfH2() throws Exception {
        String url = "jdbc:h2:file:" + folder.resolve("locks");
        try (Client client = Client.open(url)) {
            AtomicInteger interrupted = new AtomicInteger();
            for (int round = 0; round < 300; round++) {
                Claim claim = client.claim("round" + round % 7);
                Thread caller = new Thread(() -> {
                    try {
                        while (!Thread.currentThread().isInterrupted()) {
                            claim.tryAcquire(ENOUGH);
                        }
                    } catch (InterruptedException left) {
                        interrupted.incrementAndGet();
                    } finally {
                        claim.release(ENOUGH);
                    }
                });
                caller.start();
                LockSupport.parkNanos(300_000 + round * 5_000L);
                caller.interrupt();
                caller.join();
                assertThat(client.held("sound").release(ENOUGH))
                        .as("round " + round)
                        .isTrue();
            }
            assertThat(interrupted).hasPositiveValue();
            assertThat(client.backend.list("round", "", 10, ENOUGH)).isEmpty();
        }
    }
}
