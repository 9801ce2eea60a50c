// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring.shop;

import io.mortise.lock.spring.LockedJob;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Jobs that all applications start at the same times, and one runs. */
@Component
class Reports {
    /** Of all applications in this JVM. */
    static final AtomicInteger SECONDS = new AtomicInteger();

    private final AtomicInteger nights = new AtomicInteger();

    @Scheduled(cron = "0 0 2 * * *")
    @LockedJob(atLeast = "1m")
    public void nightly() {
        nights.incrementAndGet();
    }

    int nights() {
        return nights.get();
    }

    @Scheduled(cron = "* * * * * *")
    @LockedJob(atLeast = "500ms")
    public void eachSecond() {
        SECONDS.incrementAndGet();
    }
}
