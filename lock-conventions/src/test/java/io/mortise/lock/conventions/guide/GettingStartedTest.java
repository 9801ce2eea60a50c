// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockReleaseException;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.testing.ManualTicker;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of {@code docs/getting-started.md}. */
class GettingStartedTest {
    interface Ledger {
        void charge(String order, long fencingToken);
    }

    @TempDir
    private Path directory;

    private final List<String> done = new ArrayList<>();

    @Test
    void theFirstLock() throws Exception {
        InputStream before = System.in;
        System.setIn(InputStream.nullInputStream());
        try {
            FirstLock.main(new String[] {"jdbc:sqlite:" + directory.resolve("locks.db")});
        } finally {
            System.setIn(before);
        }

        assertThat(directory.resolve("locks.db")).exists();
    }

    @Test
    void workChecksItsLease() throws Exception {
        try (LockClient locks = LockClient.connect("memory:checks")) {
            charge(locks.lock("orders"), List.of("41", "42"), (order, fencingToken) -> done.add(order));
        }

        assertThat(done).containsExactly("41", "42");
    }

    private static void charge(DistributedLock lock, List<String> orders, Ledger ledger) throws InterruptedException {
        lock.run(lease -> {
            for (String order : orders) {
                lease.ensureHeld(); // throws LockLostException if the lease was lost
                ledger.charge(order, lease.fencingToken());
            }
        });
    }

    @Test
    void whatRunThrowsTellsWhatToDo() throws Exception {
        MemoryStore store = MemoryStore.named("what to do");
        String url = "memory:what to do?mortise.lease=6s&mortise.callTimeout=500ms&mortise.maxWait=500ms";
        try (LockClient locks = LockClient.connect(url)) {
            DistributedLock lock = locks.lock("orders/42");
            charge(lock, (order, fencingToken) -> done.add("charged"));
            store.pause();
            charge(lock, (order, fencingToken) -> done.add("charged"));
            store.resume();
            charge(lock, (order, fencingToken) -> store.pause());
            store.resume();
            await().until(() -> lock.holder().isEmpty());
            charge(lock, (order, fencingToken) -> loseIt(lock));
        }

        assertThat(done).containsExactly("charged", "later 42 orders/42", "log orders/42", "repair 42 orders/42");
    }

    /** Ends the lease under which the calling thread runs, and lets the task go on until its thread is told. */
    private static void loseIt(DistributedLock lock) {
        assertThat(lock.revokeNow("for the example")).isTrue();
        assertThatThrownBy(() -> new CountDownLatch(1).await(1, TimeUnit.MINUTES))
                .isInstanceOf(InterruptedException.class);
    }

    private void charge(DistributedLock lock, Ledger ledger) throws InterruptedException {
        String order = "42";
        try {
            lock.run(lease -> ledger.charge(order, lease.fencingToken()));
        } catch (LockLostException lost) {
            repair(order, lost); // The work has run, perhaps in part without the lock.
        } catch (LockReleaseException unconfirmed) {
            log(unconfirmed); // The work has run under the lock. Do not run it again.
        } catch (LockStoreException noAnswer) {
            tryLater(order, noAnswer); // The work has not run. Whether the lock is free is not known.
        }
    }

    private void repair(String order, LockLostException why) {
        done.add("repair " + order + " " + why.lockName());
    }

    private void log(LockReleaseException what) {
        done.add("log " + what.lockName());
    }

    private void tryLater(String order, LockStoreException why) {
        done.add("later " + order + " " + why.lockName());
    }

    @Test
    void twoClientsOfOneMemoryStoreExcludeEachOther() throws Exception {
        try (LockClient here = LockClient.connect("memory:reports");
                LockClient there = LockClient.connect("memory:reports");
                Lease held = there.lock("nightly report").acquire()) {
            assertThat(held.isHeld()).isTrue();
            assertThat(here.lock("nightly report").tryAcquire()).isEmpty();
        }
    }

    @Test
    void aLeaseEndsIfTheStoreDoesNotAnswer() throws Exception {
        ManualTicker time = new ManualTicker();
        MemoryStore store = new MemoryStore(time);
        try (LockClient locks = LockClient.builder(new MemoryBackend(store))
                .ticker(time)
                .options(LockOptions.defaults().withLease(Duration.ofSeconds(30)))
                .build()) {
            AtomicReference<LossCause> cause = new AtomicReference<>();
            Lease lease = locks.lock("nightly report").acquire();
            lease.onLost((Loss loss) -> cause.set(loss.cause()));

            store.pause(); // from now on the store answers nothing
            time.advance(Duration.ofSeconds(30));

            assertThat(lease.isHeld()).isFalse();
            await().untilAtomic(cause, value -> assertThat(value).isEqualTo(LossCause.EXPIRED));
            store.resume();
        }
    }
}
