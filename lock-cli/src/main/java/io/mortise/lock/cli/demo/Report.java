// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.demo;

/**
 * The outcome of one buyer's visit; its text form is a line on the standard output of the buyer's process. Immutable.
 *
 * @param buyer who
 * @param waitedNanos how long the buyer waited for the lock
 * @param sold true if the buyer got a coupon, false if there were none left
 */
record Report(String buyer, long waitedNanos, boolean sold) {
    static Report parse(String line) {
        String[] words = line.split(" ");
        return new Report(words[0], Long.parseLong(words[1]), Boolean.parseBoolean(words[2]));
    }

    @Override
    public String toString() {
        return buyer + " " + waitedNanos + " " + sold;
    }
}
