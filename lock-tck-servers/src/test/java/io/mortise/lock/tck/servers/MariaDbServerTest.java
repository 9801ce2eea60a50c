// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MariaDbServerTest {
    private static final int SERVERS = 4;

    private final ExecutorService threads = Executors.newFixedThreadPool(SERVERS);

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    /** One that starts deletes the temporary tables that it finds. */
    @Test
    void serversThatStartTogetherLeaveEachOtherAlone() throws Exception {
        List<Future<Integer>> ports = threads.invokeAll(Stream.<Callable<Integer>>generate(() -> this::portOfOne)
                .limit(SERVERS)
                .toList());

        for (Future<Integer> port : ports) {
            assertThat(port.get()).isPositive();
        }
    }

    private int portOfOne() {
        try (MariaDbServer server = MariaDbServer.start()) {
            return server.port();
        }
    }
}
