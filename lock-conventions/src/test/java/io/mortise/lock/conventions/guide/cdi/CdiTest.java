// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions.guide.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CdiTest {
    private static final String STORE = "mortise.store";

    private SeContainer container;

    @BeforeEach
    void start() {
        System.setProperty(STORE, "memory:");
        container = SeContainerInitializer.newInstance()
                .disableDiscovery()
                .addBeanClasses(Locks.class, LockedInterceptor.class, Reports.class)
                .initialize();
    }

    @AfterEach
    void stop() {
        container.close();
        System.clearProperty(STORE);
    }

    @Test
    void aMethodRunsUnderItsLock() throws Exception {
        Reports reports = container.select(Reports.class).get();
        LockClient locks = container.select(LockClient.class).get();
        CompletableFuture<Integer> call;
        try (Lease lease = locks.lock("reports/nightly").acquire()) {
            call = CompletableFuture.supplyAsync(reports::write);
            assertThat(lease.isHeld()).isTrue();
            assertThat(reports.written()).isZero();
        }
        assertThat(call.get(60, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(locks.lock("reports/nightly").tryAcquire()).isPresent();
    }

    @Test
    void whatGoesOnAfterItsReturnIsRefused() {
        Reports reports = container.select(Reports.class).get();
        assertThatThrownBy(reports::writeLater).hasMessageContaining("acquireAsync()");
    }

    @Test
    void theContainerClosesTheClient() {
        LockClient locks = container.select(LockClient.class).get();
        container.close();
        assertThatThrownBy(() -> locks.lock("reports/nightly").tryAcquire()).hasMessageContaining("closed");
        start();
    }
}
