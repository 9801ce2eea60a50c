// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions.guide.cdi;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

@ApplicationScoped
public class Reports {
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger written = new AtomicInteger();

    @Locked(name = "reports/nightly")
    public int write() {
        int beside = running.incrementAndGet();
        written.incrementAndGet();
        running.decrementAndGet();
        return beside;
    }

    @Locked(name = "reports/later")
    public CompletionStage<Void> writeLater() {
        return CompletableFuture.completedFuture(null);
    }

    int written() {
        return written.get();
    }
}
