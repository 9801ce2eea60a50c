// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is called with null says which argument it was, before it does anything. */
@SuppressWarnings("NullAway") // nulls are what is tested
class NullArgumentsTest {
    private final MemoryStore store = new MemoryStore(Ticker.system());
    private final LockClient locks =
            LockClient.builder(new MemoryBackend(store)).build();
    private final DistributedLock lock = locks.lock("a");

    @AfterEach
    void close() {
        locks.close();
    }

    private static void refuses(String argument, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(argument);
    }

    @Test
    void theClientSaysWhich() {
        refuses("url", () -> LockClient.connect(null));
        refuses("url", () -> LockClient.builder((String) null));
        refuses("backend", () -> LockClient.builder((LockBackend) null));
        refuses("name", () -> locks.lock(null));
        refuses("name", () -> locks.lock(null, LockOptions.defaults()));
        refuses("options", () -> locks.lock("a", null));
        refuses("names", () -> locks.multiLock(null, LockOptions.defaults()));
        refuses("options", () -> locks.multiLock(List.of("a"), null));
        refuses("lock", () -> Leadership.start(null, lease -> {}));
        refuses("duty", () -> Leadership.start(lock, null));
        refuses("prefix", () -> locks.holders(null));
        refuses("grace", () -> locks.close(null));
    }

    @Test
    void theBuilderSaysWhich() {
        LockClientBuilder builder = LockClient.builder("memory:a").ticker(Ticker.system());
        refuses("options", () -> builder.options(null));
        refuses("features", () -> builder.require((Feature[]) null));
        refuses("feature", () -> builder.require(Feature.FENCED, null));
        refuses("safety level", () -> builder.atLeast(null));
        refuses("ticker", () -> builder.ticker(null));
        refuses("executor", () -> builder.executor(null));
        refuses("callTimeout", () -> builder.callTimeout(null));
        refuses("listener", () -> builder.listener(null));
    }

    @Test
    void theOptionsSayWhich() {
        LockOptions options = LockOptions.defaults();
        refuses("lease", () -> options.withLease(null));
        refuses("minHold", () -> options.withMinHold(null));
        refuses("maxHold", () -> options.withMaxHold(null));
        refuses("maxWait", () -> options.withMaxWait(null));
        refuses("lockDelay", () -> options.withLockDelay(null));
        refuses("label", () -> options.withLabel(null));
    }

    @Test
    void theLockSaysWhichAndDoesNotAskTheStore() {
        store.pause();
        refuses("wait", () -> lock.tryAcquire(null));
        refuses("wait", () -> lock.tryAcquireAsync(null));
        refuses("task", () -> lock.run(null));
        refuses("task", () -> lock.call(null));
        refuses("task", () -> lock.tryRun(null));
        refuses("task", () -> lock.tryCall(null));
        refuses("reason", () -> lock.revoke(null));
        refuses("reason", () -> lock.revokeNow(null));
        refuses("unit", () -> lock.asLock().tryLock(1, null));
        store.resume();
    }

    @Test
    void theLeaseSaysWhich() throws Exception {
        try (Lease lease = lock.acquire()) {
            refuses("listener", () -> lease.onLost(null));
            refuses("listener", () -> lease.onAtRisk(null));
            refuses("listener", () -> lease.whenLost(null));
            refuses("listener", () -> lease.whenAtRisk(null));
            refuses("listener", () -> lease.whenRevoked(null));
            refuses("length", () -> lease.extend(null));
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void negativeLengthsAreRefusedByTheirName() throws Exception {
        Duration negative = Duration.ofNanos(-1);
        assertThatThrownBy(() -> locks.close(negative)).hasMessageContaining("grace");
        assertThatThrownBy(() -> lock.tryAcquire(negative)).hasMessageContaining("wait");
        assertThatThrownBy(() -> LockClient.builder("memory:a").callTimeout(negative))
                .hasMessageContaining("callTimeout");
        assertThat(lock.asLock().tryLock(-1, TimeUnit.SECONDS)).isTrue();
    }
}
