// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.demo;

import io.mortise.lock.cli.console.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Collects the reports of all buyers of all processes, and compares them with the tables of the shop. Thread-safe.
 */
final class SalesLedger {
    private final int[] soldBy;
    private final Set<String> confirmed = new HashSet<>();
    private final List<Long> waits = new ArrayList<>();

    SalesLedger(int processes) {
        soldBy = new int[processes];
    }

    synchronized void add(int process, PurchaseReport report) {
        waits.add(report.waitedNanos());
        if (report.sold()) {
            confirmed.add(report.buyer());
            soldBy[process]++;
        }
    }

    synchronized int visits() {
        return waits.size();
    }

    synchronized int confirmed() {
        return confirmed.size();
    }

    synchronized int soldBy(int process) {
        return soldBy[process];
    }

    /** The waiting time that this fraction of the buyers did not exceed. */
    synchronized long waitedMillis(double part) {
        if (waits.isEmpty()) {
            return 0;
        }
        List<Long> sorted = new ArrayList<>(waits);
        Collections.sort(sorted);
        return TimeUnit.NANOSECONDS.toMillis(sorted.get((int) Math.ceil(part * sorted.size()) - 1));
    }

    /**
     * Compares the buyers' reports with the shop's tables. A confirmed sale is lost if its row is missing or its decrement was
     * overwritten by another's.
     */
    synchronized Result compare(int coupons, int sales, int remaining, Set<String> rows) {
        int decrements = coupons - remaining;
        int withoutDecrement = Math.max(0, confirmed.size() - decrements);
        int withoutRow =
                (int) confirmed.stream().filter(buyer -> !rows.contains(buyer)).count();
        return new Result(sales, Math.max(0, sales - coupons), Math.max(withoutRow, withoutDecrement));
    }

    /** The number of sales, of those beyond the stock, and of confirmed sales without their row or decrement. */
    record Result(int sold, int oversold, int lost) {
        boolean isRight() {
            return oversold == 0 && lost == 0;
        }
    }

    synchronized Json json(Result result) {
        return new Json()
                .put("sold", result.sold())
                .put("oversold", result.oversold())
                .put("lost", result.lost())
                .put("processes", soldBy.length)
                .put("wait_p50_ms", waitedMillis(0.50))
                .put("wait_p99_ms", waitedMillis(0.99));
    }
}
