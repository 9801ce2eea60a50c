// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client answers about its store, and how its questions end. */
@Timeout(30)
class LockClientQueriesTest {
    private final MemoryStore store = new MemoryStore(Ticker.system());
    private final List<String> asked = new ArrayList<>();

    /** Counts questions, and answers those about "refused" and "broken" as their names say. */
    private class Backend extends ForwardingBackend {
        Backend() {
            super(new MemoryBackend(store));
        }

        @Override
        public Optional<LockHolder> inspect(String lock, Duration atMost) {
            asked.add("inspect");
            if (lock.equals("refused")) {
                throw BackendException.refused("the user may not read the table", null);
            }
            if (lock.equals("broken")) {
                throw new IllegalStateException("a fault of the driver");
            }
            return super.inspect(lock, atMost);
        }

        @Override
        public List<LockHolder> list(String prefix, String after, int limit, Duration atMost) {
            asked.add("list " + after);
            return super.list(prefix, after, limit, atMost);
        }
    }

    private LockClient client() {
        return LockClient.builder(new Backend())
                .callTimeout(Duration.ofMillis(100))
                .build();
    }

    @Test
    void pingAsksOnceAndTellsHowLongItTook() {
        try (LockClient locks = client()) {
            assertThat(locks.ping()).isBetween(Duration.ZERO, Duration.ofSeconds(20));
            assertThat(asked).containsExactly("inspect");
            assertThat(locks.holders("")).isEmpty();
        }
    }

    @Test
    void pingThrowsIfTheStoreDoesNotAnswerAndWorksWhenItDoesAgain() {
        try (LockClient locks = client()) {
            store.pause();
            assertThatThrownBy(locks::ping)
                    .isExactlyInstanceOf(LockStoreException.class)
                    .hasMessageContaining("100 ms");
            store.resume();
            assertThat(locks.ping()).isLessThan(Duration.ofSeconds(20));
        }
    }

    @Test
    void pingOfAStoreThatRefusesIsNoMissingAnswer() {
        Backend refusing = new Backend() {
            @Override
            public Optional<LockHolder> inspect(String lock, Duration atMost) {
                return super.inspect("refused", atMost);
            }
        };
        try (LockClient locks = LockClient.builder(refusing).build()) {
            assertThatThrownBy(locks::ping)
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("may not read");
        }
    }

    @Test
    void pingAcquiresAndReleasesWhereTheStoreCannotTellHolders() {
        Backend silent = new Backend() {
            @Override
            public Set<Feature> features() {
                return EnumSet.of(Feature.FENCED);
            }

            @Override
            public Optional<LockHolder> inspect(String lock, Duration atMost) {
                throw new UnsupportedOperationException("this store cannot tell who holds a lock");
            }
        };
        try (LockClient locks = LockClient.builder(silent)
                        .callTimeout(Duration.ofMillis(100))
                        .build();
                LockClient other = client()) {
            Thread.currentThread().interrupt();
            assertThat(locks.ping()).isLessThan(Duration.ofSeconds(20));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(other.holders("")).isEmpty();
            store.pause();
            assertThatThrownBy(locks::ping).isInstanceOf(LockStoreException.class);
            store.resume();
            assertThatThrownBy(() -> locks.holders("")).isInstanceOf(UnsupportedOperationException.class);
        }
    }

    @Test
    void pingReleasesWhatATryWithoutAnswerMayHaveAcquired() {
        Backend silent = new Backend() {
            @Override
            public Set<Feature> features() {
                return EnumSet.of(Feature.FENCED);
            }

            @Override
            public Optional<LockHolder> inspect(String lock, Duration atMost) {
                throw new UnsupportedOperationException("this store cannot tell who holds a lock");
            }

            @Override
            public Claim claim(ClaimRequest request, Runnable nudge) {
                return new ForwardingClaim(super.claim(request, nudge)) {
                    @Override
                    public boolean tryAcquire(Duration atMost) throws InterruptedException {
                        assertThat(super.tryAcquire(atMost)).isTrue();
                        throw new BackendException("the reply was lost", null);
                    }
                };
            }
        };
        try (LockClient locks = LockClient.builder(silent).build();
                LockClient other = client()) {
            assertThatThrownBy(locks::ping).isInstanceOf(LockStoreException.class);
            await().until(() -> other.holders("").findAny().isEmpty());
        }
    }

    @Test
    void whateverABackendThrowsHasItsWord() {
        try (LockClient locks = client()) {
            assertThatThrownBy(() -> locks.lock("refused").holder())
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("may not read");
            assertThatThrownBy(() -> locks.lock("broken").holder())
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("a fault of the driver");
            store.pause();
            assertThatThrownBy(() -> locks.lock("a").revoke("why")).isInstanceOf(LockStoreException.class);
            store.resume();
        }
    }

    @Test
    void aClosedClientSaysSo() {
        LockClient locks = client();
        DistributedLock lock = locks.lock("a");
        Stream<LockHolder> begun = locks.holders("");
        locks.close();
        assertThatThrownBy(locks::ping).isInstanceOf(LockClosedException.class);
        assertThatThrownBy(lock::holder).isInstanceOf(LockClosedException.class);
        assertThatThrownBy(() -> lock.revoke("why")).isInstanceOf(LockClosedException.class);
        assertThatThrownBy(() -> lock.revokeNow("why")).isInstanceOf(LockClosedException.class);
        assertThatThrownBy(() -> locks.holders("")).isInstanceOf(LockClosedException.class);
        assertThatThrownBy(begun::toList).isInstanceOf(LockClosedException.class);
        assertThat(asked).isEmpty();
    }

    @Test
    void aCallThatACloseEndedSaysSo() {
        LockClient[] closing = new LockClient[1];
        Backend closedMeanwhile = new Backend() {
            @Override
            public Optional<LockHolder> inspect(String lock, Duration atMost) {
                closing[0].close();
                throw new BackendException("the connection is gone", null);
            }
        };
        try (LockClient locks = LockClient.builder(closedMeanwhile).build()) {
            closing[0] = locks;
            assertThatThrownBy(() -> locks.lock("a").holder()).isInstanceOf(LockClosedException.class);
        }
    }

    @Test
    void holdersAsksNothingBeforeItIsReadAndNoPageTooMany() throws Exception {
        try (LockClient locks = client()) {
            for (int i = 0; i < 1_000; i++) {
                locks.lock(String.format("lock %03d", i), LockOptions.defaults().withRenewal(false))
                        .acquire();
            }
            store.pause();
            Stream<LockHolder> holders = locks.holders("").filter(holder -> true);
            assertThat(asked).isEmpty();
            store.resume();
            Iterator<LockHolder> one = holders.iterator();
            for (int i = 0; i < 500; i++) {
                assertThat(one.next().lock()).isEqualTo(String.format("lock %03d", i));
            }
            assertThat(asked).containsExactly("list ");
            assertThat(one.next().lock()).isEqualTo("lock 500");
            assertThat(asked).containsExactly("list ", "list lock 499");
            assertThat(locks.holders("lock 99").limit(3)).hasSize(3);
            assertThat(locks.holders("").parallel().map(LockHolder::lock).distinct())
                    .hasSize(1_000);
        }
    }

    @Test
    void tellsItsStoreWithoutSecrets() {
        try (LockClient url = LockClient.connect("memory:told?user=x&mortise.lease=10s&password=hunter2")) {
            assertThat(url.toString()).contains("memory:told", "SINGLE_STORE");
        } catch (LockConfigurationException unknownOption) {
            assertThat(unknownOption).hasMessageNotContaining("hunter2");
        }
        try (LockClient url = LockClient.connect("memory:told");
                LockClient given = client()) {
            assertThat(url)
                    .hasToString(
                            "LockClient[memory:told, SINGLE_STORE, [FENCED, FAIR, PROMPT, LISTABLE, REVOCABLE, REGISTER]]");
            assertThat(given.toString()).startsWith("LockClient[Backend, SINGLE_STORE, [FENCED,");
            assertThat(given.leaseBounds()).isEqualTo(LeaseBounds.WIDEST);
        }
    }

    @Test
    void aCallTimeoutOfCenturiesIsAsGoodAsForever() throws Exception {
        for (Duration long_ : List.of(Duration.ofDays(365 * 400L), Duration.ofSeconds(Long.MAX_VALUE))) {
            try (LockClient locks =
                    LockClient.builder(new Backend()).callTimeout(long_).build()) {
                assertThat(locks.ping()).isLessThan(Duration.ofSeconds(20));
                try (Lease lease = locks.lock("a").acquire()) {
                    assertThat(lease.isHeld()).isTrue();
                    assertThat(locks.lock("a").tryAcquire()).isEmpty();
                }
                assertThat(locks.lock("a").holder()).isEmpty();
            }
        }
        LockClient.connect("memory:a?mortise.callTimeout=400000d").close();
    }
}
