// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.tck.servers.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** K2, K8: processes that wait in line, and some that are killed or frozen there. */
@Timeout(180)
class WaitingProcessesTest {
    private static final LockOptions LASTING = LockOptions.defaults().withLease(Duration.ofMinutes(2));
    private final List<WaiterProcess> processes = new ArrayList<>();
    private RedisServer server;
    private LockClient locks;

    @BeforeEach
    void start() {
        server = RedisServer.start();
        locks = LockClient.connect(server.url());
    }

    @AfterEach
    void stop() {
        processes.forEach(WaiterProcess::close);
        locks.close();
        server.close();
    }

    @Test
    void processesAreServedInTheOrderInWhichTheyCame() throws Exception {
        Lease held = locks.lock("lock", LASTING).acquire();
        for (int i = 0; i < 4; i++) {
            inLine();
        }
        held.release();

        List<Long> tokens = processes.stream()
                .map(process -> Long.valueOf(process.await("done")))
                .toList();
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void waitersOfAKilledHolderAreServedInOrder() throws Exception {
        WaiterProcess holder = WaiterProcess.hold(server.url(), "lock", Duration.ofSeconds(4));
        processes.add(holder);
        holder.await("ready");
        WaiterProcess first = inLine();
        WaiterProcess second = inLine();
        holder.process().destroyForcibly().waitFor();
        long killed = System.nanoTime();

        long firstToken = Long.parseLong(first.await("done"));
        assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(Duration.ofSeconds(10));
        assertThat(Long.parseLong(second.await("done"))).isGreaterThan(firstToken);
    }

    /** A killed process has closed its connection: the server knows, and calls the next one at once. */
    @Test
    void killedWaitersArePassedOverAtOnce() throws Exception {
        Lease held = locks.lock("lock", LASTING).acquire();
        WaiterProcess first = inLine();
        WaiterProcess second = inLine();
        WaiterProcess last = inLine();
        first.process().destroyForcibly().waitFor();
        second.process().destroyForcibly().waitFor();
        await().until(() -> channels() == 1);
        held.release();
        long released = System.nanoTime();

        last.await("done");
        assertThat(Duration.ofNanos(System.nanoTime() - released)).isLessThan(Duration.ofSeconds(5));
    }

    /** A frozen one still seems to listen: it has a moment to come, and so have all frozen ones together. Each apart would be 3.6 s. */
    @Test
    void frozenWaitersCostASecondTogetherAndAreServedLater() throws Exception {
        Lease held = locks.lock("lock", LASTING).acquire();
        List<WaiterProcess> frozen = List.of(inLine(), inLine(), inLine(), inLine(), inLine(), inLine());
        WaiterProcess last = inLine();
        frozen.forEach(WaiterProcess::freeze);
        long released = System.nanoTime();
        held.release();

        last.await("done");
        assertThat(Duration.ofNanos(System.nanoTime() - released)).isLessThan(Duration.ofSeconds(3));
        frozen.forEach(WaiterProcess::thaw);
        frozen.forEach(process -> process.await("done"));
    }

    private WaiterProcess inLine() throws IOException {
        WaiterProcess process = WaiterProcess.start(server.url(), "lock", 1);
        int before = waiters();
        processes.add(process);
        process.await("ready");
        await().atMost(Duration.ofSeconds(30)).until(() -> waiters() == before + 1);
        return process;
    }

    private int waiters() {
        return locks.lock("lock").holder().orElseThrow().waiters().orElse(0);
    }

    private int channels() {
        return server.command("PUBSUB", "CHANNELS", "mortise:client:*") instanceof List<?> channels
                ? channels.size()
                : 0;
    }
}
