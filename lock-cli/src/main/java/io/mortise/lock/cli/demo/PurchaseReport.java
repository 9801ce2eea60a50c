// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.demo;

/**
 * Whether one buyer got a coupon before none was left, and how long the buyer waited for the lock. Its text form is a line on the
 * standard output of the buyer's process.
 */
record PurchaseReport(String buyer, long waitedNanos, boolean sold) {
    static PurchaseReport parse(String line) {
        String[] words = line.split(" ");
        return new PurchaseReport(words[0], Long.parseLong(words[1]), Boolean.parseBoolean(words[2]));
    }

    @Override
    public String toString() {
        return buyer + " " + waitedNanos + " " + sold;
    }
}
