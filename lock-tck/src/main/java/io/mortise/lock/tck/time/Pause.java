// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.time;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Sleeps in real time. The only place where the suite sleeps. */
public final class Pause {
    private Pause() {}

    public static void of(Duration duration) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(duration.toNanos());
    }
}
