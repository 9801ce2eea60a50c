// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.demo;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.cli.console.ExitCode;
import io.mortise.lock.cli.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code mortise demo sell}, which the demonstration starts itself: one process whose buyers, each a thread, come all
 * at once when a line arrives on standard input.
 */
@Command(name = "sell", hidden = true)
final class SellCommand implements Callable<Integer> {
    @Mixin
    private StoreOptions store = new StoreOptions();

    @Option(names = "--shop", required = true)
    private Path shop = Path.of("");

    @Option(names = "--lock")
    private @Nullable String lock;

    @Option(names = "--first", required = true)
    private int first;

    @Option(names = "--step", required = true)
    private int step;

    @Option(names = "--buyers", required = true)
    private int buyers;

    @Override
    @SuppressWarnings("try") // a lease is there to be held
    public Integer call() throws IOException, InterruptedException, ExecutionException, SQLException {
        if (lock == null) {
            return sell((name, counter) -> new PurchaseReport(name, 0, counter.buy(name)));
        }
        String lockName = lock;
        try (LockClient client = store.connect()) {
            return sell((name, counter) -> {
                long came = System.nanoTime();
                try (Lease lease = client.lock(lockName).acquire()) {
                    long waited = System.nanoTime() - came;
                    return new PurchaseReport(name, waited, counter.buy(name));
                }
            });
        }
    }

    private int sell(Purchase purchase) throws IOException, InterruptedException, ExecutionException, SQLException {
        List<Shop> counters = new ArrayList<>();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            for (int buyer = first; buyer < buyers; buyer += step) {
                counters.add(Shop.open(shop));
            }
            System.out.println("ready");
            if (System.in.read() < 0) {
                return ExitCode.SOFTWARE;
            }
            List<Future<?>> visits = new ArrayList<>();
            for (int visit = 0; visit < counters.size(); visit++) {
                String name = "buyer-" + (first + visit * step);
                Shop counter = counters.get(visit);
                visits.add(threads.submit(() -> {
                    System.out.println(purchase.make(name, counter));
                    return null;
                }));
            }
            for (Future<?> visit : visits) {
                visit.get();
            }
            return ExitCode.OK;
        } finally {
            threads.shutdownNow();
            for (Shop counter : counters) {
                counter.close();
            }
        }
    }

    /** One buyer's visit. */
    private interface Purchase {
        PurchaseReport make(String buyer, Shop counter) throws SQLException, InterruptedException;
    }
}
