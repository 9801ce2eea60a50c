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
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A database and a prefix are a store of their own, though all databases of a server share their channels. */
class StoreIdentityTest extends RedisServerTest {
    private static final List<String> STORES =
            List.of("", "/1", "/1?prefix=shop", "/1?prefix=shop:", "?prefix=shop", "?prefix=", "?prefix=mortise:x");

    @Test
    void storesThatDifferShareNeitherLocksNorMessages() throws InterruptedException {
        List<Scene> scenes = new ArrayList<>();
        try {
            for (String store : STORES) {
                RedisBackend backend = Claims.open(server.url() + store);
                AtomicInteger nudges = new AtomicInteger();
                Claim waiter = waiting(backend, "lock", nudges::incrementAndGet);
                scenes.add(new Scene(backend, plain(backend, "lock"), waiter, nudges));
                granted(scenes.get(scenes.size() - 1).holder());
                refused(waiter);
            }
            for (Scene scene : scenes) {
                assertThat(scene.backend().list("", "", 500, AMPLE))
                        .extracting(LockHolder::lock)
                        .containsExactly("lock");
                List<Integer> before = nudgesOfOthers(scenes, scene);
                assertThat(scene.holder().release(AMPLE)).isTrue();
                granted(scene.waiter());
                assertThat(nudgesOfOthers(scenes, scene)).isEqualTo(before);
            }
        } finally {
            scenes.forEach(scene -> scene.backend().close());
        }
    }

    private static List<Integer> nudgesOfOthers(List<Scene> scenes, Scene released) {
        return scenes.stream()
                .filter(scene -> !scene.equals(released))
                .map(scene -> scene.nudges().get())
                .toList();
    }

    /** A holder and a waiter in one of the stores. */
    private record Scene(RedisBackend backend, Claim holder, Claim waiter, AtomicInteger nudges) {}

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
}
