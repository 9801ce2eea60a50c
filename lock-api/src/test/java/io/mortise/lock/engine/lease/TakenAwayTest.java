// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import io.mortise.lock.testing.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the backend learns by itself of the end of a lock reaches the holder at once: no time passes in these tests. */
@Timeout(20)
class TakenAwayTest {
    private static final Loss SESSION = new Loss(LossCause.SESSION_LOST, "the session ended");

    private final ManualTicker ticker = new ManualTicker();
    private final List<Consumer<Loss>> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean lostAtGrant;
    private volatile boolean failing;
    private final LockClient locks =
            LockClient.builder(new Telling()).ticker(ticker).build();

    @AfterEach
    void close() {
        locks.close();
    }

    /** Memory, whose claims tell what the test says. */
    private final class Telling extends ForwardingBackend {
        private Telling() {
            super(new MemoryBackend(new MemoryStore(ticker)));
        }

        @Override
        public Claim claim(ClaimRequest request, Runnable nudge) {
            return new ForwardingClaim(super.claim(request, nudge)) {
                @Override
                public void whenLost(Consumer<Loss> listener) {
                    listeners.add(listener);
                    if (failing) {
                        throw new IllegalStateException("a mistake of the backend");
                    }
                    if (lostAtGrant) {
                        lostAtGrant = false;
                        listener.accept(SESSION);
                    }
                }
            };
        }
    }

    @Test
    void theHolderIsToldAtOnce() throws Exception {
        CompletableFuture<Loss> told = new CompletableFuture<>();
        Lease lease = locks.lock("a").acquire().onLost(told::complete);

        listeners.get(0).accept(SESSION);

        assertThat(lease.isHeld()).isFalse();
        assertThat(told).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(SESSION);
        assertThat(lease.release()).isFalse();
    }

    @Test
    void aReleasedLeaseIsNotLostAfterwards() throws Exception {
        Lease lease = locks.lock("a").acquire();
        assertThat(lease.release()).isTrue();

        listeners.get(0).accept(SESSION);

        assertThat(lease.release()).isTrue();
    }

    @Test
    void whoGotTheLockByAHandOverIsToldAndNotWhoGaveIt() throws Exception {
        Lease first = locks.lock("a").acquire();
        CompletableFuture<Lease> next = locks.lock("a").acquireAsync();
        assertThat(first.release()).isTrue();
        Lease second = next.get();
        await().until(() -> listeners.size() > 1);

        listeners.forEach(listener -> listener.accept(SESSION));

        assertThat(second.isHeld()).isFalse();
        assertThat(first.release()).isTrue();
    }

    @Test
    void aLockThatIsLostBeforeItsCallerHasItIsAskedForAgain() throws Exception {
        lostAtGrant = true;

        Lease lease = locks.lock("a").acquire();

        assertThat(lease.isHeld()).isTrue();
        assertThat(listeners).hasSize(2);
    }

    @Test
    void aBackendThatFailsHereLosesNothing() throws Exception {
        failing = true;

        assertThat(locks.lock("a").acquire().release()).isTrue();
    }
}
