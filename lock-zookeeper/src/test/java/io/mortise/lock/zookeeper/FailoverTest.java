// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockReleaseException;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.tck.servers.ZooKeeperEnsemble;
import io.mortise.lock.tck.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Leaders are killed while clients work. */
@Timeout(300)
class FailoverTest {
    private static final LockOptions OPTIONS = LockOptions.defaults().withLease(Duration.ofSeconds(15));
    private static final int CLIENTS = 6;
    private static final int FAILOVERS = Integer.getInteger("mortise.zookeeper.failovers", 2);

    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicLong highest = new AtomicLong();
    private final AtomicInteger worked = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();

    @Test
    void killingLeadersUnderLoadKeepsExclusion() throws Exception {
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start()) {
            List<LockClient> clients = new ArrayList<>();
            List<CompletableFuture<Void>> workers = new ArrayList<>();
            try {
                for (int i = 0; i < CLIENTS; i++) {
                    LockClient client = LockClient.builder(Fixtures.open(ensemble.url() + "?sessionTimeout=20s"))
                            .options(OPTIONS)
                            .build();
                    clients.add(client);
                    workers.add(CompletableFuture.runAsync(() -> work(client), task -> new Thread(task).start()));
                }
                for (int i = 0; i < FAILOVERS; i++) {
                    awaitWork(50);
                    ZooKeeperServer leader = ensemble.leader();
                    leader.kill();
                    awaitWork(50);
                    ensemble.restartMissing();
                }
                awaitWork(50);
                over.set(true);
                for (CompletableFuture<Void> worker : workers) {
                    worker.get(60, TimeUnit.SECONDS);
                }
            } finally {
                over.set(true);
                clients.forEach(LockClient::close);
            }
            assertThat(worked.get()).isGreaterThan(100 * FAILOVERS);
        }
    }

    private void awaitWork(int more) {
        int wanted = worked.get() + more;
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> worked.get() >= wanted);
    }

    /** Works under the lock. An outage may cost a release its answer or end a lease, but two holders are never inside together. */
    private void work(LockClient client) {
        while (!over.get()) {
            try (Lease lease = client.lock("hot").acquire()) {
                assertThat(inside.incrementAndGet()).as("holders inside").isEqualTo(1);
                assertThat(lease.fencingToken()).isGreaterThan(highest.getAndSet(lease.fencingToken()));
                worked.incrementAndGet();
                inside.decrementAndGet();
            } catch (LockStoreException | LockReleaseException | LockLostException outage) {
                // and again
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        }
    }
}
