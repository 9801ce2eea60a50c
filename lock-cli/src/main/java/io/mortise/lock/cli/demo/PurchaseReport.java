// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.demo;

/**
 * What one buyer got, and how long the buyer waited for the lock. Its text form is a line on the standard output of the buyer's process.
 *
 * @param sold true if the buyer got a coupon, false if there were none left
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
