// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import io.mortise.lock.testing.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A claim may be relied on for less than its lease, and for more again when its backend hears so. Leases last 30 s. */
@Timeout(20)
class UnreliableClaimTest {
    private static final Loss UNCONFIRMED = new Loss(LossCause.EXPIRED, "nobody confirmed the grants of this client");
    private static final LockOptions OPTIONS = LockOptions.defaults().withLease(Duration.ofSeconds(30));

    private final ManualTicker ticker = new ManualTicker();
    private final MemoryStore store = new MemoryStore(ticker);
    private final List<Loss> losses = new CopyOnWriteArrayList<>();
    private final LockClient locks =
            LockClient.builder(new Confirmed()).ticker(ticker).build();
    private volatile long reliableUntil;

    @AfterEach
    void close() {
        locks.close();
    }

    /** Memory, whose claims may be relied on until the moment that the test sets. */
    private final class Confirmed extends ForwardingBackend {
        private Confirmed() {
            super(new MemoryBackend(store));
        }

        @Override
        public Claim claim(ClaimRequest request, Runnable nudge) {
            return new ForwardingClaim(super.claim(request, nudge)) {
                @Override
                public long reliableNanos() {
                    return reliableUntil - ticker.nanos();
                }

                @Override
                public Loss loss() {
                    return reliableNanos() <= 0 ? UNCONFIRMED : super.loss();
                }
            };
        }

        @Override
        public List<Answer> renewAll(List<Renewal> asked, Duration atMost) {
            return renewOneByOne(asked, atMost);
        }
    }

    private Lease hold(LockOptions options) throws InterruptedException {
        return locks.lock("a", options).acquire().onLost(losses::add);
    }

    private void reliableFor(Duration time) {
        reliableUntil = ticker.nanos() + time.toNanos();
    }

    @Test
    void theLeaseEndsWithTheClaimAndForGood() throws Exception {
        reliableFor(Duration.ofSeconds(12));
        Lease lease = hold(OPTIONS);
        assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(12));
        ticker.advance(Duration.ofSeconds(12).minusNanos(1));
        assertThat(lease.isHeld()).isTrue();

        ticker.advance(Duration.ofNanos(1));

        assertThat(lease.isHeld()).isFalse();
        reliableFor(Duration.ofSeconds(12));
        assertThat(lease.isHeld()).isFalse();
        await().untilAsserted(() -> assertThat(losses).containsExactly(UNCONFIRMED));
    }

    /** No call is made when the time is over: the holder is told by the timer. */
    @Test
    void theHolderIsToldOfTheEnd() throws Exception {
        reliableFor(Duration.ofSeconds(12));
        Lease lease = hold(OPTIONS.withRenewal(false));
        ticker.advance(Duration.ofSeconds(13));
        await().untilAsserted(() -> assertThat(losses).containsExactly(UNCONFIRMED));
        assertThat(lease.release()).isFalse();
    }

    @Test
    void theHolderIsWarnedWhenAThirdIsLeft() throws Exception {
        List<Duration> warnings = new CopyOnWriteArrayList<>();
        reliableFor(Duration.ofSeconds(12));
        Lease lease = hold(OPTIONS.withRenewal(false)).onAtRisk(warnings::add);
        ticker.advance(Duration.ofSeconds(7));
        reliableFor(Duration.ofSeconds(12));
        ticker.advance(Duration.ofSeconds(7));
        assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(5));
        assertThat(warnings).isEmpty();

        ticker.advance(Duration.ofSeconds(1));

        await().untilAsserted(() -> assertThat(warnings).hasSize(1));
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.release()).isTrue();
    }

    @Test
    void aClaimThatMayBeReliedOnForLongerLastsForLonger() throws Exception {
        reliableFor(Duration.ofSeconds(12));
        Lease lease = hold(OPTIONS.withRenewal(false));
        ticker.advance(Duration.ofSeconds(11));
        reliableFor(Duration.ofSeconds(12));
        ticker.advance(Duration.ofSeconds(11));
        assertThat(lease.isHeld()).isTrue();
        reliableFor(Duration.ofSeconds(12));

        ticker.advance(Duration.ofSeconds(8));

        assertThat(lease.isHeld()).isFalse();
        await().untilAsserted(() -> assertThat(losses).extracting(Loss::cause).containsExactly(LossCause.EXPIRED));
        assertThat(losses).doesNotContain(UNCONFIRMED);
    }
}
