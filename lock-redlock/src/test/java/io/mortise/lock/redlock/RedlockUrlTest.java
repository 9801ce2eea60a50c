// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.Ticker;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.FencingStrength;
import io.mortise.lock.spi.SafetyLevel;
import io.mortise.lock.spi.StoreUrl;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** P10: URLs and settings that are refused before any member is asked. */
class RedlockUrlTest {
    @ParameterizedTest
    @CsvSource(delimiterString = " | ", textBlock = """
            redlock://h1,h2,h3,h4                                      | 3, 5 or 7 servers
            redlock://h1                                               | 3, 5 or 7 servers
            redlock:h1                                                 | 3, 5 or 7 servers
            redlock://h1,h2,h1                                         | the server h1:6379 twice
            redlock://h1,h2,H1:6379                                    | the server h1:6379 twice
            redlock://h1,h2,h3?memberTimeout=0s                        | memberTimeout must be positive
            redlock://h1,h2,h3?longestLease=soon                       | longestLease is wrong
            redlock://h1,h2,h3?fencing=maybe                           | true or false
            redlock://h1,h2,h3?newQuorum=yes                           | newQuorum is true or false
            redlock://h1,h2,h3?longestLease=1m&restartDelay=1m         | restartDelay must be at least
            redlock://h1,h2,h3?replicas=2                              | unknown option 'replicas'
            redlock://h1,h2,h3:port                                    | 'h3:…'
            redlock://h1,h2,h3/zero                                    | redis://host:port
            """)
    void isRefused(String url, String why) {
        assertThatThrownBy(() -> LockClient.connect(url))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining(why);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 4, 6})
    void theBuilderRefusesAnEvenNumber(int members) {
        assertThatThrownBy(() -> Stores.ours(RedlockBackend.builder(), new Stores(members).members()))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("not " + members);
    }

    @Test
    void passwordsAreNotShown() {
        assertThatThrownBy(() -> LockClient.connect("redlock://user:s%40cret@h1,h2,h3:port"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageNotContaining("s%40cret")
                .hasMessageNotContaining("s@cret");
    }

    @Test
    void membersThatAreDownDoNotFailOpening() {
        StoreUrl url = StoreUrl.parse("redlock://localhost:1,localhost:2,localhost:3?longestLease=5m&prefix=p:");
        try (RedlockBackend quorum = (RedlockBackend) new RedlockBackendProvider().open(url)) {
            assertThat(quorum.safetyLevel()).isEqualTo(SafetyLevel.QUORUM);
            assertThat(quorum.features())
                    .containsExactlyInAnyOrder(Feature.FENCED, Feature.LISTABLE, Feature.REVOCABLE);
            assertThat(quorum.fencingStrength()).isEqualTo(FencingStrength.WHILE_DATA_LIVES);
            assertThat(quorum.leaseBounds().longest()).isEqualTo(Duration.ofMinutes(5));
        }
    }

    @Test
    void oneClientUnderTwoNamesIsRefused() {
        MemoryBackend same = new MemoryBackend(new MemoryStore(Ticker.system()));
        assertThatThrownBy(() -> RedlockBackend.builder().member("a", same).member("b", same))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("b is there twice");
    }
}
