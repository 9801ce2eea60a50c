// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.BackendSelection;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** P11: five real servers that have just been started, or restarted together, with the settings that nobody has changed. */
@Timeout(120)
class RestartDelayTest {
    private static final Duration AMPLE = Duration.ofSeconds(10);
    private static final Duration LEASE = Duration.ofSeconds(8);
    private static final String SHORT = "?longestLease=8s";

    private final Five five = Five.start();

    @AfterEach
    void stop() {
        five.close();
    }

    @Test
    void aMajorityThatIsRestartedEmptyTogetherGrantsNoSecondLease() throws Exception {
        try (LockBackend holders = open(five.urlWithRestartDelay() + SHORT);
                LockBackend others = open(five.urlWithRestartDelay() + SHORT)) {
            Claim holder = holders.claim(Stores.request("kept", LEASE), () -> {});
            await("the servers have run for long enough to vote")
                    .atMost(Duration.ofSeconds(60))
                    .ignoreExceptionsInstanceOf(BackendException.class)
                    .until(() -> holder.tryAcquire(AMPLE));
            long sure = System.nanoTime() + LEASE.toNanos();
            for (int i = 0; i < 3; i++) {
                five.get(i).restartEmpty();
            }

            Claim second = others.claim(Stores.request("kept", LEASE), () -> {});
            int withoutVote = 0;
            while (sure - System.nanoTime() > 0) {
                try {
                    boolean granted = second.tryAcquire(Duration.ofSeconds(2));
                    assertThat(granted && sure - System.nanoTime() > 0)
                            .as("granted beside a lease that lasts")
                            .isFalse();
                } catch (BackendException undecided) {
                    withoutVote += String.valueOf(undecided.getMessage()).contains("has no vote for another") ? 1 : 0;
                }
            }
            assertThat(withoutVote).isPositive();
        }
    }

    @Test
    void aQuorumThatHasJustBeenStartedGrantsNothingAndSaysWhyAndForHowLong() {
        try (LockClient client = LockClient.connect(five.urlWithRestartDelay())) {
            LockOptions options = LockOptions.defaults().withLease(Duration.ofSeconds(2));
            assertThatThrownBy(() -> client.lock("first", options).acquire())
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContainingAll(
                            Five.address(five.get(0)) + " has no vote for another ",
                            "as at their very first start",
                            "newQuorum");
        }
    }

    @Test
    void aWaitLastsUntilTheDelayHasPassed() throws Exception {
        try (LockClient client = LockClient.connect(five.urlWithRestartDelay() + SHORT + "&mortise.lease=8s")) {
            assertThat(client.lock("first").tryAcquire(Duration.ofSeconds(60))).isPresent();
        }
    }

    @Test
    void aNewQuorumServesAtOnceAndAMajorityThatIsRestartedUnderItWaits() throws Exception {
        try (LockBackend backend = open(five.url())) {
            Claim claim = Stores.claim(backend, "first");
            assertThat(claim.tryAcquire(AMPLE)).isTrue();
            claim.release(AMPLE);
            for (int i = 0; i < 3; i++) {
                five.get(i).restartEmpty();
            }

            await("the connections to the servers that are gone have been noticed")
                    .atMost(AMPLE)
                    .untilAsserted(() -> assertThatThrownBy(
                                    () -> Stores.claim(backend, "second").tryAcquire(AMPLE))
                            .isInstanceOf(BackendException.class)
                            .hasMessageContaining("has no vote for another"));
        }
    }

    private static LockBackend open(String url) {
        return BackendSelection.open(StoreUrl.parse(url), Set.of());
    }
}
