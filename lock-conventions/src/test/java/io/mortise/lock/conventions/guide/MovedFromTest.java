// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.DistributedReentrantLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.zookeeper.ZooKeeperBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Our halves of the examples of {@code docs/moved-from.md}. */
class MovedFromTest {
    interface Ledger {
        void charge(String order, long fencingToken);
    }

    interface Report {
        void write();
    }

    private final LockClient locks = LockClient.connect("memory:");
    private final List<String> done = new ArrayList<>();

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void fromRedisson() throws Exception {
        fromRedisson("42", (order, fencingToken) -> done.add(order));

        assertThat(done).containsExactly("42");
    }

    private void fromRedisson(String order, Ledger ledger) throws InterruptedException {
        Optional<Lease> granted = locks.lock("orders/42").tryAcquire(Duration.ofSeconds(10));
        if (granted.isPresent()) {
            try (Lease lease = granted.get()) {
                ledger.charge(order, lease.fencingToken());
            }
        }
    }

    @Test
    void withoutWatchdog() throws Exception {
        assertThat(withoutWatchdog(locks).renewal()).isFalse();
    }

    private static LockOptions withoutWatchdog(LockClient locks) {
        LockOptions tenSeconds =
                locks.options().withLease(Duration.ofSeconds(10)).withRenewal(false);
        return tenSeconds;
    }

    @Test
    void fromShedLock() throws Exception {
        fromShedLock(() -> done.add("written"));
        fromShedLock(() -> done.add("written"));

        assertThat(done).containsExactly("written");
    }

    private void fromShedLock(Report report) throws InterruptedException {
        LockOptions nightly = locks.options().withMinHold(Duration.ofMinutes(5));
        locks.lock("nightlyReport", nightly).tryRun(lease -> report.write());
    }

    @Test
    void fromCurator() throws Exception {
        fromCurator(locks, "42", (order, fencingToken) -> done.add(order));

        assertThat(done).containsExactly("42");
    }

    static LockClient overTheApplicationsOwnCurator(CuratorFramework curatorFramework) {
        LockClient locks =
                LockClient.builder(ZooKeeperBackend.of(curatorFramework)).build();
        return locks;
    }

    private static void fromCurator(LockClient locks, String order, Ledger ledger) throws InterruptedException {
        DistributedReentrantLock lock = locks.lock("orders/42").asLock();
        if (lock.tryLock(10, TimeUnit.SECONDS)) {
            try {
                ledger.charge(order, lock.lease().orElseThrow().fencingToken());
            } finally {
                lock.unlock();
            }
        }
    }

    @Test
    void fromSpringIntegration() throws Exception {
        fromSpringIntegration("42", (order, fencingToken) -> done.add(order));
        fromSpringIntegrationWithLock("43");

        assertThat(done).containsExactly("42", "43");
    }

    private void fromSpringIntegration(String order, Ledger ledger) throws InterruptedException {
        locks.lock("orders/42").run(lease -> ledger.charge(order, lease.fencingToken()));
    }

    private void fromSpringIntegrationWithLock(String order) throws InterruptedException {
        Lock lock = locks.lock("orders/42").asLock();
        lock.lockInterruptibly();
        try {
            done.add(order);
        } finally {
            lock.unlock();
        }
    }
}
