// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.JedisClusterCRC16;

/** I6: a guard refuses lower tokens and accepts equal and greater ones. */
class RedisFencingGuardTest extends RedisServerTest {
    private static RedisClient redis;
    private static RedisFencingGuard guard;

    @BeforeAll
    static void openClient() {
        redis = RedisClient.create(server.host(), server.port());
        guard = new RedisFencingGuard(redis);
    }

    @AfterAll
    static void closeClient() {
        redis.close();
    }

    @Test
    void refusesLowerTokensAndAcceptsEqualAndGreaterOnes() {
        assertThat(guard.write(33, "report", "SET", "first")).isTrue();
        assertThat(guard.write(33, "report", "SET", "again")).isTrue();
        assertThat(guard.write(32, "report", "SET", "stale")).isFalse();
        assertThat(redis.get("report")).isEqualTo("again");

        assertThat(guard.write(34, "report", "APPEND", ", and more")).isTrue();
        assertThat(guard.write(33, "report", "DEL")).isFalse();
        assertThat(redis.get("report")).isEqualTo("again, and more");
    }

    @Test
    void neverForgetsTheGreatestToken() {
        assertThat(guard.write(7, "report-once", "SET", "x", "PX", "1")).isTrue();

        assertThat(redis.ttl("mortise-fence:{report-once}")).isEqualTo(-1);
        assertThat(guard.write(6, "report-once", "SET", "stale")).isFalse();
    }

    @Test
    void distinguishesGreatTokensThatDifferByOne() {
        long greatest = 1L << 53;
        assertThat(guard.write(greatest - 1, "great", "SET", "first")).isTrue();
        assertThat(guard.write(greatest - 2, "great", "SET", "stale")).isFalse();
        assertThat(guard.write(greatest, "great", "SET", "last")).isTrue();
        assertThat(guard.write(greatest - 1, "great", "SET", "stale")).isFalse();
        assertThat(redis.get("great")).isEqualTo("last");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, (1L << 53) + 1, Long.MAX_VALUE})
    void refusesInvalidTokens(long token) {
        assertThatThrownBy(() -> guard.write(token, "none", "SET", "x")).isInstanceOf(IllegalArgumentException.class);
        assertThat(redis.exists("none")).isFalse();
    }

    @Test
    void aRefusedCommandDoesNotCountAsSeen() {
        redis.lpush("list", "x");

        assertThatThrownBy(() -> guard.write(9, "list", "INCR"))
                .isInstanceOf(JedisDataException.class)
                .hasMessageContaining("WRONGTYPE");

        assertThat(redis.exists("mortise-fence:{list}")).isFalse();
        assertThat(guard.write(8, "list", "LPUSH", "y")).isTrue();
    }

    @Test
    void aForeignValueInPlaceOfTheTokenIsAnError() {
        redis.set("mortise-fence:{spoilt}", "hello");
        redis.lpush("mortise-fence:{spoilt-too}", "hello");

        assertThatThrownBy(() -> guard.write(9, "spoilt", "SET", "x")).isInstanceOf(JedisDataException.class);
        assertThatThrownBy(() -> guard.write(9, "spoilt-too", "SET", "x")).isInstanceOf(JedisDataException.class);
        assertThat(redis.exists("spoilt", "spoilt-too")).isZero();
        assertThat(redis.get("mortise-fence:{spoilt}")).isEqualTo("hello");
    }

    @Test
    void worksWhenTheServerHasForgottenItsScripts() {
        assertThat(guard.write(1, "flushed", "SET", "x")).isTrue();
        redis.scriptFlush();
        assertThat(guard.write(2, "flushed", "SET", "y")).isTrue();
        assertThat(guard.write(1, "flushed", "SET", "z")).isFalse();
    }

    /** Comparing and writing are one step, so tokens never fall in the order in which they wrote. */
    @Test
    void concurrentWritesAreAcceptedInTheOrderOfTokens() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        AtomicInteger accepted = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        List<Callable<Boolean>> works = new ArrayList<>();
        for (int writer = 0; writer < 8; writer++) {
            Random random = new Random(writer);
            works.add(() -> {
                for (int top = 20; top < 1000; top += random.nextInt(8)) {
                    int token = top - random.nextInt(20);
                    boolean written = guard.write(token, "log", "RPUSH", Long.toString(token));
                    (written ? accepted : refused).incrementAndGet();
                }
                return true;
            });
        }
        for (Future<Boolean> work : threads.invokeAll(works)) {
            work.get();
        }
        threads.shutdown();

        List<Long> log = redis.lrange("log", 0, -1).stream().map(Long::valueOf).toList();
        assertThat(log).isSorted().hasSize(accepted.get());
        assertThat(refused).hasPositiveValue();
        assertThat(redis.get("mortise-fence:{log}"))
                .isEqualTo(log.get(log.size() - 1).toString());
    }

    @ParameterizedTest
    @CsvSource({
        "plain,mortise-fence:{plain}",
        "{tag},mortise-fence:{tag}",
        "a{tag}b,mortise-fence:a{tag}b",
        "{tag}{other},mortise-fence:{tag}{other}",
        "a{,mortise-fence:{a{}",
    })
    void theTokenIsInTheSlotOfTheData(String key, String fence) {
        assertThat(guard.write(1, key, "SET", "x")).isTrue();

        assertThat(redis.get(fence)).isEqualTo("1");
        assertThat(JedisClusterCRC16.getSlot(fence)).isEqualTo(JedisClusterCRC16.getSlot(key));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "a{}b", "}a", "a}b", "a}{", "{}{tag}"})
    void aKeyWhoseSlotNoOtherKeyCanHaveIsRefused(String key) {
        assertThatThrownBy(() -> guard.write(1, key, "SET", "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + key + "'")
                .hasMessageContaining("braces");
        assertThat(redis.exists(key)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "FLUSHALL",
                "flushdb",
                "GET",
                "EVAL",
                "RENAME",
                "COPY",
                "MSET",
                "SUNIONSTORE",
                "LMOVE",
                "SHUTDOWN",
                "NOSUCH",
                ""
            })
    void runsNothingButWritesToTheKey(String command) {
        redis.set("elsewhere", "kept");

        assertThatThrownBy(() -> guard.write(9, "one-key", command, "elsewhere"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("write to one key");
        assertThatThrownBy(() -> guard.write(9, "one-key", "DEL", "elsewhere"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(redis.get("elsewhere")).isEqualTo("kept");
        assertThat(redis.exists("mortise-fence:{one-key}")).isFalse();
    }

    @Test
    void itsOwnTokensAreOutOfReach() {
        assertThat(guard.write(9, "own", "SET", "x")).isTrue();

        assertThatThrownBy(() -> guard.write(9, "mortise-fence:{own}", "DEL"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(guard.write(8, "own", "SET", "stale")).isFalse();
    }

    /** The user is the one that the page of the backend describes, and has no right to anything else. */
    @Test
    void worksWithTheDocumentedPermissions() {
        String url = AclUser.on(server, "guard", AclUser.with(AclUser.FOR_A_GUARD, "~report/*", "+hset"));
        try (RedisClient limited = RedisClient.create(url)) {
            RedisFencingGuard guarding = new RedisFencingGuard(limited);
            assertThat(guarding.write(5, "report/1", "HSET", "field", "value")).isTrue();
            assertThat(guarding.write(4, "report/1", "HSET", "field", "stale")).isFalse();
            assertThatThrownBy(() -> guarding.write(5, "other", "HSET", "field", "value"))
                    .isInstanceOf(JedisDataException.class);
        }
    }

    /** The data must not be written if the token cannot be. */
    @Test
    void aTokenThatMayNotBeKeptKeepsTheDataFromBeingWritten() {
        String url = AclUser.on(
                server,
                "unkept",
                List.of("resetkeys", "~report/*", "~mortise-fence:*", "-@all", "+eval", "+evalsha", "+get", "+hset"));
        try (RedisClient limited = RedisClient.create(url)) {
            assertThatThrownBy(() -> new RedisFencingGuard(limited).write(5, "report/2", "HSET", "field", "value"))
                    .isInstanceOf(JedisDataException.class);
        }
        assertThat(redis.exists("report/2", "mortise-fence:{report/2}")).isZero();
    }

    @Test
    void keepsAStaleHolderOff() throws InterruptedException {
        try (LockClient locks = LockClient.connect(server.url())) {
            Lease stale = locks.lock("fenced").acquire();
            locks.lock("fenced").revokeNow("test");
            try (Lease next = locks.lock("fenced").acquire()) {
                assertThat(guard.write(next.fencingToken(), "data", "SET", "new"))
                        .isTrue();
                assertThat(guard.write(stale.fencingToken(), "data", "SET", "old"))
                        .isFalse();
            }
        }
        assertThat(redis.get("data")).isEqualTo("new");
    }
}
