// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Real time that must pass. The only place where the suite sleeps. */
final class Pause {
    private Pause() {}

    static void of(Duration duration) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(duration.toNanos());
    }
}
