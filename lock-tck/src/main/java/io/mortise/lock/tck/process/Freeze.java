// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.process;

import java.util.concurrent.TimeUnit;
import org.opentest4j.TestAbortedException;

/**
 * Freezes a child JVM and lets it go on, and measures for how long: a freeze that a case wants is no stall of the machine. Has
 * its own {@code kill}, because the suite must not depend on the test servers. Thread-safe.
 */
final class Freeze {
    private final Process process;
    private boolean on;
    private long since;
    private long past;

    Freeze(Process process) {
        this.process = process;
    }

    synchronized void begin() throws Exception {
        since = System.nanoTime();
        signal("-STOP");
        on = true;
    }

    synchronized void end() throws Exception {
        signal("-CONT");
        past = nanos();
        on = false;
    }

    synchronized boolean isOn() {
        return on;
    }

    /** Rather too much than too little: from before each beginning until after its end. */
    synchronized long nanos() {
        return on ? past + System.nanoTime() - since : past;
    }

    private void signal(String signal) throws Exception {
        if (System.getProperty("os.name", "").startsWith("Windows")) {
            throw new TestAbortedException("skipped: processes cannot be frozen here; run the suite on Linux or macOS");
        }
        Process killer = new ProcessBuilder("kill", signal, String.valueOf(process.pid())).start();
        if (!killer.waitFor(10, TimeUnit.SECONDS) || killer.exitValue() != 0) {
            throw new AssertionError("kill " + signal + " must work");
        }
    }
}
