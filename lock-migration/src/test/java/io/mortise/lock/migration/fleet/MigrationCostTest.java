// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.LockClient;
import io.mortise.lock.Ticker;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.migration.Migration;
import io.mortise.lock.migration.dual.DualBackend;
import io.mortise.lock.migration.window.MigrationWindow;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a lease in two stores costs: calls, and time on two servers of this host. */
@Timeout(120)
class MigrationCostTest {
    private static final Logger LOG = System.getLogger(MigrationCostTest.class.getName());
    private static final Duration CALL = Duration.ofSeconds(5);
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final int TIMES = Integer.getInteger("mortise.migration.cost", 50);

    @TempDir
    private Path folder;

    /** Notes each call that asks its store. */
    private static LockBackend counting(String store, List<String> calls) {
        return new ForwardingBackend(new MemoryBackend(new MemoryStore(Ticker.system()))) {
            @Override
            public Claim claim(ClaimRequest request, Runnable nudge) {
                return new ForwardingClaim(super.claim(request, nudge)) {
                    @Override
                    public boolean tryAcquire(Duration atMost) throws InterruptedException {
                        calls.add(store + " try");
                        return super.tryAcquire(atMost);
                    }

                    @Override
                    public boolean renew(Duration lease, Duration atMost) {
                        calls.add(store + " renew");
                        return super.renew(lease, atMost);
                    }

                    @Override
                    public boolean raiseToken(long token, Duration atMost) {
                        calls.add(store + " raise");
                        return super.raiseToken(token, atMost);
                    }

                    @Override
                    public boolean release(Duration atMost) {
                        calls.add(store + " release");
                        return super.release(atMost);
                    }
                };
            }
        };
    }

    @Test
    void eachCallAsksBothStoresAndAGrantRaisesATokenBesides() throws Exception {
        List<String> calls = new ArrayList<>();
        try (DualBackend both = new DualBackend(counting("old", calls), counting("new", calls))) {
            Claim claim = both.claim(new ClaimRequest("a", "0".repeat(32), "", LEASE, false, 0, 1), () -> {});
            assertThat(claim.tryAcquire(CALL)).isTrue();
            assertThat(calls).containsExactly("old try", "new try", "old raise");
            calls.clear();
            assertThat(claim.renew(LEASE, CALL)).isTrue();
            assertThat(claim.release(CALL)).isTrue();
            assertThat(calls).containsExactly("old renew", "new renew", "new release", "old release");
        }
    }

    /** From Redis to PostgreSQL, with one thread; the figures are in the log. */
    @Test
    void aLeaseInBothStoresIsMeasured() throws Exception {
        try (StorePair.Opened stores = StorePair.REDIS_TO_POSTGRES.open(folder);
                Migration migration = Migration.open(stores.migrating())) {
            migration.start(Duration.ofSeconds(1), left -> {});
            double alone = median(stores.old());
            migration.advance(MigrationWindow.OLD_AND_DUAL, left -> {});
            double dual = median(stores.migrating());
            migration.advance(MigrationWindow.DUAL, left -> {});
            migration.advance(MigrationWindow.DUAL_AND_NEW, left -> {});
            double young = median(stores.migrating());
            LOG.log(
                    Level.INFO,
                    () -> String.format(
                            Locale.ROOT,
                            "acquiring and releasing, median of %d: old store %.2f ms, both %.2f ms, new store %.2f ms",
                            TIMES,
                            alone,
                            dual,
                            young));
            assertThat(dual).isGreaterThan(alone);
        }
    }

    private static double median(String url) throws InterruptedException {
        try (LockClient client = LockClient.builder(url).build()) {
            double[] millis = new double[TIMES];
            for (int i = -TIMES; i < TIMES; i++) {
                long begin = System.nanoTime();
                client.lock("cost").acquire().close();
                millis[Math.max(0, i)] = (System.nanoTime() - begin) / 1e6;
            }
            Arrays.sort(millis);
            return millis[TIMES / 2];
        }
    }
}
