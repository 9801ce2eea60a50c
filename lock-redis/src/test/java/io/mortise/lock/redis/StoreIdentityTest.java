// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static io.mortise.lock.redis.Claims.AMPLE;
import static io.mortise.lock.redis.Claims.granted;
import static io.mortise.lock.redis.Claims.plain;
import static io.mortise.lock.redis.Claims.refused;
import static io.mortise.lock.redis.Claims.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockHolder;
import io.mortise.lock.spi.Claim;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A database and a prefix are a store of their own, though all databases of a server share their channels. */
class StoreIdentityTest extends RedisServerTest {
    private static final List<String> STORES =
            List.of("", "/1", "/1?prefix=shop", "/1?prefix=shop:", "?prefix=shop", "?prefix=", "?prefix=mortise:x");

    @Test
    void storesThatDifferShareNeitherLocksNorMessages() throws InterruptedException {
        Map<RedisBackend, Claim> holders = new LinkedHashMap<>();
        Map<RedisBackend, Claim> waiters = new LinkedHashMap<>();
        Map<RedisBackend, AtomicInteger> nudges = new LinkedHashMap<>();
        try {
            for (String store : STORES) {
                RedisBackend backend = Claims.open(server.url() + store);
                holders.put(backend, granted(plain(backend, "lock")));
                AtomicInteger counter = new AtomicInteger();
                Claim waiter = waiting(backend, "lock", counter::incrementAndGet);
                refused(waiter);
                waiters.put(backend, waiter);
                nudges.put(backend, counter);
            }
            for (RedisBackend backend : List.copyOf(holders.keySet())) {
                assertThat(backend.list("", "", 500, AMPLE))
                        .extracting(LockHolder::lock)
                        .containsExactly("lock");
                List<Integer> before = nudgesOfOthers(nudges, backend);
                assertThat(holders.get(backend).release(AMPLE)).isTrue();
                granted(waiters.get(backend));
                assertThat(nudgesOfOthers(nudges, backend)).isEqualTo(before);
            }
        } finally {
            holders.keySet().forEach(RedisBackend::close);
        }
    }

    @Test
    void urlsThatDifferInFormOnlyAreOneStore() throws InterruptedException {
        try (RedisBackend one = Claims.open(server.url() + "?prefix=form:");
                RedisBackend other = Claims.open(server.url() + "/0?prefix=form:")) {
            Claim holder = granted(plain(one, "lock"));
            refused(plain(other, "lock"));
            assertThat(holder.release(AMPLE)).isTrue();
        }
    }

    /** The keys of such locks would be those in which a guard keeps its tokens. */
    @Test
    void thePrefixOfGuardsIsRefused() {
        assertThatThrownBy(() -> Claims.open(server.url() + "?prefix=mortise-fence:"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("mortise-fence:");
    }

    private static List<Integer> nudgesOfOthers(Map<RedisBackend, AtomicInteger> nudges, RedisBackend released) {
        List<Integer> others = new ArrayList<>();
        nudges.forEach((backend, counter) -> {
            if (backend != released) {
                others.add(counter.get());
            }
        });
        return others;
    }
}
