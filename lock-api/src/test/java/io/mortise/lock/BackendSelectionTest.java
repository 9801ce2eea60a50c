// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.LockBackendProvider;
import io.mortise.lock.spi.StoreUrl;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackendSelectionTest {
    /** A second provider of {@code memory:}. */
    public static final class Rival implements LockBackendProvider {
        @Override
        public Set<String> schemes() {
            return Set.of("memory", "failing");
        }

        @Override
        public LockBackend open(StoreUrl url) {
            if (url.scheme().equals("failing")) {
                throw new IllegalArgumentException("cannot open " + url.driverUrl());
            }
            return new MemoryBackend(new MemoryStore(Ticker.system()));
        }
    }

    @Test
    void theSameNameIsTheSameStore() throws Exception {
        try (LockClient one = LockClient.connect("memory:same");
                LockClient two = LockClient.connect("MEMORY:same");
                LockClient three = LockClient.connect("memory:another");
                Lease lease = one.lock("a").acquire()) {
            assertThat(lease.isHeld()).isTrue();
            assertThat(two.lock("a").tryAcquire()).isEmpty();
            assertThat(three.lock("a").tryAcquire()).isPresent();
        }
    }

    @Test
    void anUnknownSchemeListsTheKnownOnes() {
        assertThatThrownBy(() -> LockClient.connect("redis://user:hunter2@localhost"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("'redis:'")
                .hasMessageContaining("memory")
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void aUrlWithoutSchemeIsRefusedWithAnExample() {
        assertThatThrownBy(() -> LockClient.connect("localhost"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("redis://localhost:6379");
    }

    @Test
    void optionsApplyAndUnknownOnesAreRefused() {
        String url = "memory:options?mortise.lease=10s&mortise.renewal=false&mortise.label=cron%20job"
                + "&mortise.maxHold=PT1H&mortise.maxWait=5m&mortise.localHandOvers=3&mortise.callTimeout=500ms"
                + "&mortise.require=fenced,FAIR&mortise.safety=single_store";
        try (LockClient locks = LockClient.connect(url)) {
            assertThat(locks.options())
                    .isEqualTo(LockOptions.defaults()
                            .withLease(Duration.ofSeconds(10))
                            .withRenewal(false)
                            .withLabel("cron job")
                            .withMaxHold(Duration.ofHours(1))
                            .withMaxWait(Duration.ofMinutes(5))
                            .withLocalHandOvers(3));
        }
        assertThatThrownBy(() -> LockClient.connect("memory:x?mortise.leese=10s"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("mortise.leese")
                .hasMessageContaining("mortise.lease");
        assertThatThrownBy(() -> LockClient.connect("memory:x?color=red")).hasMessageContaining("color");
        assertThatThrownBy(() -> LockClient.connect("memory:x?mortise.lease=soon"))
                .hasMessageContaining("30s");
        assertThatThrownBy(() -> LockClient.connect("memory:x?mortise.require=FAST"))
                .hasMessageContaining("FENCED");
        assertThatThrownBy(() -> LockClient.connect("memory:x?mortise.safety=CONSENSUS"))
                .hasMessageContaining("SINGLE_STORE");
    }

    @Test
    void optionsOfTheUrlWinOverThoseOfTheBuilder() {
        try (LockClient locks = LockClient.builder("memory:merge?mortise.lease=10s")
                .options(LockOptions.defaults().withLease(Duration.ofSeconds(5)).withLabel("mine"))
                .build()) {
            assertThat(locks.options().lease()).isEqualTo(Duration.ofSeconds(10));
            assertThat(locks.options().label()).isEqualTo("mine");
        }
    }

    @Test
    void twoProvidersOfOneSchemeAreRefusedWithoutSecrets(@TempDir Path services) throws IOException {
        Path file = services.resolve("META-INF/services/" + LockBackendProvider.class.getName());
        Files.createDirectories(file.getParent());
        Files.writeString(file, Rival.class.getName());
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {services.toUri().toURL()}, before)) {
            Thread.currentThread().setContextClassLoader(loader);
            assertThatThrownBy(() -> LockClient.connect("memory:x"))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("MemoryBackendProvider")
                    .hasMessageContaining("Rival");
            assertThatThrownBy(() -> LockClient.connect("failing://user:hunter2@host/x"))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("failing://user:***@host/x")
                    .hasMessageNotContaining("hunter2");
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }
}
