// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static io.mortise.lock.redis.Claims.AMPLE;
import static io.mortise.lock.redis.Claims.LEASE;
import static io.mortise.lock.redis.Claims.granted;
import static io.mortise.lock.redis.Claims.keys;
import static io.mortise.lock.redis.Claims.plain;
import static io.mortise.lock.redis.Claims.refused;
import static io.mortise.lock.redis.Claims.request;
import static io.mortise.lock.redis.Claims.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A1, F4, I1, K3: a claim that a release has granted the lock confirms that, and relies on no more than it knows. */
class GrantConfirmationTest extends RedisBackendTest {
    private final AtomicInteger messages = new AtomicInteger();

    @Test
    void aGrantIsConfirmedByOneCommand() throws InterruptedException {
        Claim holder = granted(plain(backend, "lock"));
        Claim waiter = inQueue(LEASE);
        release(holder);
        server.command("CONFIG", "RESETSTAT");
        granted(waiter);

        Map<String, Long> commands = server.commandStats();
        commands.keySet().removeIf(name -> name.startsWith("config") || name.equals("info") || name.equals("ping"));
        assertThat(commands).isEqualTo(Map.of("zrem", 1L));
        assertThat(waiter.fencingToken()).isGreaterThan(holder.fencingToken());
        assertThat(waiter.renew(LEASE, AMPLE)).isTrue();
        assertThat(waiter.leaseSpent()).isZero();
        assertThat(waiter.release(AMPLE)).isTrue();
    }

    /** The grant was made at some moment after the last try that was refused. */
    @Test
    void theLeaseOfAGrantCountsFromTheLastRefusal() throws InterruptedException {
        Claim holder = granted(plain(backend, "lock"));
        Claim waiter = inQueue(LEASE);
        Duration later = Duration.ofMillis(300);
        long refused = System.nanoTime();
        await().atMost(AMPLE).until(() -> System.nanoTime() - refused > later.toNanos());
        release(holder);
        granted(waiter);

        assertThat(waiter.leaseSpent()).isBetween(later, LEASE.dividedBy(6));
        long left = Long.parseLong(
                String.valueOf(server.command("PTTL", keys("lock").lock())));
        assertThat(Duration.ofMillis(left))
                .isGreaterThan(LEASE.minus(waiter.leaseSpent()).minus(AMPLE));
    }

    @Test
    void aGrantOfWhichMuchIsSpentIsRenewed() throws InterruptedException {
        Duration lease = Duration.ofMillis(2_400);
        Claim holder = granted(plain(backend, "lock"));
        Claim waiter = inQueue(lease);
        long refused = System.nanoTime();
        await().atMost(AMPLE)
                .until(() -> System.nanoTime() - refused > lease.dividedBy(5).toNanos());
        release(holder);
        granted(waiter);

        assertThat(waiter.leaseSpent()).isZero();
    }

    /** Until it is confirmed, it is kept for longer: others must have time to find out that nobody confirms it. */
    @Test
    void aShortLeaseIsNotLongerAfterAGrant() throws InterruptedException {
        Duration lease = Duration.ofMillis(300);
        Claim holder = granted(plain(backend, "lock"));
        Claim waiter = inQueue(lease);
        release(holder);
        granted(waiter);

        long left = Long.parseLong(
                String.valueOf(server.command("PTTL", keys("lock").lock())));
        assertThat(left).isLessThanOrEqualTo(lease.toMillis());
        assertThat(waiter.leaseSpent()).isZero();
    }

    /** It is then not known which grant, if any, a message is about. */
    @Test
    void aClaimThatLostItsPlaceOnceDoesNotTakeLeavingTheQueueForAGrant() throws InterruptedException {
        Claim holder = granted(plain(backend, "lock"));
        ClaimRequest request = request("lock", LEASE, true);
        Claim waiter = backend.claim(request, messages::incrementAndGet);
        refused(waiter);
        String entry = entries().get(0).toString();
        server.command("ZREM", keys("lock").queue(), entry);
        refused(waiter);
        assertThat(entries()).hasSize(1);
        String[] words = entry.split(" ");
        int before = messages.get();
        server.command("PUBLISH", words[1], "granted " + words[2] + " " + request.owner() + " 1");
        await().atMost(AMPLE).until(() -> messages.get() > before);

        refused(waiter);
        assertThat(holder.release(AMPLE)).isTrue();
        granted(waiter);
        assertThat(waiter.release(AMPLE)).isTrue();
    }

    /** Nobody is told of a grant that was not made. */
    @Test
    void aReleaseThatFailsTellsNobodyOfAGrant() throws InterruptedException {
        Claim holder = granted(plain(backend, "lock"));
        Claim waiter = inQueue(LEASE);
        // So many tokens that a release has to look at the counter.
        assertThat(holder.raiseToken(holder.fencingToken() + 1_000_000, AMPLE)).isTrue();
        server.command("DEL", keys("lock").token());
        server.command("RPUSH", keys("lock").token(), "foreign");
        int before = messages.get();
        Claims.assertRefused(() -> holder.release(AMPLE)).hasMessageContaining("WRONGTYPE");

        assertThat(messages).hasValue(before);
        refused(waiter);
        server.command("DEL", keys("lock").token());
        assertThat(holder.release(AMPLE)).isTrue();
        granted(waiter);
        assertThat(waiter.release(AMPLE)).isTrue();
    }

    /** Releases follow what was reserved, and do not look at the counter. */
    @Test
    void tokensRiseAfterAChainOfGrantsThatEndsByItself() throws InterruptedException {
        Claim holder = granted(plain(backend, "lock"));
        long last = holder.fencingToken() + 3_600_000_000L;
        // Ahead of the clock, so that the counter alone makes tokens rise.
        assertThat(holder.raiseToken(last, AMPLE)).isTrue();
        for (int i = 0; i < 30; i++) {
            ClaimRequest one = request("lock", LEASE, true);
            Claim next = backend.claim(
                    new ClaimRequest(one.lock(), one.owner(), one.label(), LEASE, true, 0, 50),
                    messages::incrementAndGet);
            refused(next);
            release(holder);
            granted(next);
            assertThat(next.fencingToken()).isGreaterThan(last);
            last = next.fencingToken() + 49;
            holder = next;
        }
        server.command("PEXPIRE", keys("lock").lock(), "0");
        Claim free = granted(plain(backend, "lock"));
        assertThat(free.fencingToken()).isGreaterThan(last);
        assertThat(free.release(AMPLE)).isTrue();
    }

    private Claim inQueue(Duration lease) throws InterruptedException {
        Claim waiter = lease.equals(LEASE)
                ? waiting(backend, "lock", messages::incrementAndGet)
                : backend.claim(request("lock", lease, true), messages::incrementAndGet);
        refused(waiter);
        return waiter;
    }

    /** Until the waiter was told. */
    private void release(Claim holder) {
        int before = messages.get();
        assertThat(holder.release(AMPLE)).isTrue();
        await().atMost(AMPLE).until(() -> messages.get() > before);
    }

    private List<?> entries() {
        return server.command("ZRANGE", keys("lock").queue(), "0", "-1") instanceof List<?> all ? all : List.of();
    }
}
