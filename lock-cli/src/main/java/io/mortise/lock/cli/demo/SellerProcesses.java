// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.demo;

import io.mortise.lock.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Runs the processes that sell coupons, all at once, and shows their progress. */
final class SellerProcesses {
    private final SalesLedger ledger;
    private final int processes;
    private final int buyers;
    private final Path shop;
    private final @Nullable String store;

    SellerProcesses(SalesLedger ledger, int processes, int buyers, Path shop, @Nullable String store) {
        this.ledger = ledger;
        this.processes = processes;
        this.buyers = buyers;
        this.shop = shop;
        this.store = store;
    }

    /** The exit code of a process that failed, or 0. */
    int run() throws IOException, InterruptedException {
        List<SellerProcess> sellers = new ArrayList<>();
        ExecutorService listeners = Executors.newCachedThreadPool();
        try {
            // A lock of its own, so that two demonstrations at once do not wait for each other.
            String lock = "demo/coupons/" + UUID.randomUUID();
            for (int process = 0; process < processes; process++) {
                sellers.add(SellerProcess.start(arguments(process, lock), store));
            }
            for (SellerProcess seller : sellers) {
                if (!seller.isReady()) {
                    return seller.listen(report -> {});
                }
            }
            List<Future<Integer>> ends = new ArrayList<>();
            for (int process = 0; process < processes; process++) {
                SellerProcess seller = sellers.get(process);
                int number = process;
                seller.go();
                ends.add(listeners.submit(() -> seller.listen(report -> ledger.add(number, report))));
            }
            int failure = 0;
            for (Future<Integer> end : ends) {
                int code = await(end);
                failure = failure == 0 ? code : failure;
            }
            return failure;
        } finally {
            sellers.forEach(SellerProcess::close);
            listeners.shutdownNow();
        }
    }

    private List<String> arguments(int process, String lock) {
        List<String> arguments = new ArrayList<>(List.of("--shop", shop.toString()));
        arguments.addAll(List.of("--first", "" + process, "--step", "" + processes, "--buyers", "" + buyers));
        if (store != null) {
            arguments.addAll(List.of("--lock", lock));
        }
        return arguments;
    }

    private int await(Future<Integer> end) throws InterruptedException {
        boolean live = isTerminal();
        try {
            while (true) {
                try {
                    return end.get(100, TimeUnit.MILLISECONDS);
                } catch (TimeoutException stillSelling) {
                    if (live) {
                        System.err.print("\r" + ledger.visits() + " of " + buyers + " buyers served, "
                                + ledger.confirmed() + " coupons sold ");
                    }
                } finally {
                    if (live && end.isDone()) {
                        System.err.print("\r\033[K");
                    }
                }
            }
        } catch (ExecutionException unreadable) {
            return ExitCode.SOFTWARE;
        }
    }

    private static boolean isTerminal() {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException notLinux) {
            return false;
        }
    }
}
