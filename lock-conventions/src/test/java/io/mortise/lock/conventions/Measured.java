// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import java.util.concurrent.TimeUnit;

/** What tests of scale measure and print. */
final class Measured {
    private Measured() {}

    /** The bytes of this JVM's heap in use after garbage was collected. */
    static long heap() throws InterruptedException {
        Runtime runtime = Runtime.getRuntime();
        for (int i = 0; i < 3; i++) {
            System.gc();
            TimeUnit.MILLISECONDS.sleep(20);
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /** A URL without what changes from run to run. */
    static String store(String url) {
        return url.replaceFirst("(jdbc:sqlite:|redis:).*", "$1…");
    }
}
