// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static io.mortise.lock.redis.Claims.AMPLE;
import static io.mortise.lock.redis.Claims.LEASE;
import static io.mortise.lock.redis.Claims.assertRefused;
import static io.mortise.lock.redis.Claims.assertUnknown;
import static io.mortise.lock.redis.Claims.granted;
import static io.mortise.lock.redis.Claims.keys;
import static io.mortise.lock.redis.Claims.plain;
import static io.mortise.lock.redis.Claims.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.LockHolder;
import io.mortise.lock.redis.operations.LockListing;
import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.Claim;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** F3: what is not ours, or has no end, is neither free nor held: it is an error, and it stays as it is. */
class ForeignKeysTest extends RedisBackendTest {
    @ParameterizedTest
    @ValueSource(strings = {"hello", "", "held", "held 00ff", "held zz 1 2 label", "called", "free 00ff 1 2 label"})
    void aForeignValueIsAnErrorAndStays(String value) throws InterruptedException {
        Claim claim = granted(plain(backend, "lock"));
        server.command("SET", keys("lock").lock(), value);

        isAnErrorForAll(claim);
        assertThat(server.command("GET", keys("lock").lock())).isEqualTo(value);
    }

    @Test
    void aForeignTypeIsAnErrorAndStays() throws InterruptedException {
        Claim claim = granted(plain(backend, "lock"));
        server.command("DEL", keys("lock").lock());
        server.command("RPUSH", keys("lock").lock(), "hello");

        isAnErrorForAll(claim);
        assertThat(server.command("LRANGE", keys("lock").lock(), "0", "-1")).isEqualTo(List.of("hello"));
    }

    @Test
    void aForeignKeyDoesNotHideTheAnswersOfOtherLocks() throws InterruptedException {
        Claim first = granted(plain(backend, "first"));
        Claim spoilt = granted(plain(backend, "spoilt"));
        Claim last = granted(plain(backend, "last"));
        server.command("DEL", keys("spoilt").lock());
        server.command("HSET", keys("spoilt").lock(), "field", "value");

        assertThat(backend.renewAll(Claims.renewals(first, spoilt, last), AMPLE))
                .containsExactly(Answer.YES, Answer.UNKNOWN, Answer.YES);
    }

    @Test
    void aBatchOfForeignKeysIsRefused() throws InterruptedException {
        Claim spoilt = granted(plain(backend, "spoilt"));
        server.command("SET", keys("spoilt").lock(), "hello");

        assertRefused(() -> backend.renewAll(Claims.renewals(spoilt), AMPLE))
                .hasMessageContaining("something that is no lock");
    }

    @Test
    void aLockWithoutAnEndIsAnErrorUntilItsHolderRenews() throws InterruptedException {
        Claim claim = granted(plain(backend, "endless"));
        server.command("PERSIST", keys("endless").lock());

        assertUnknown(() -> plain(backend, "endless").tryAcquire(AMPLE)).hasMessageContaining("no time to live");
        assertUnknown(() -> backend.inspect("endless", AMPLE)).hasMessageContaining("no time to live");
        assertThat(claim.renew(LEASE, AMPLE)).isTrue();
        assertThat((Long) server.command("PTTL", keys("endless").lock())).isPositive();
        assertThat(claim.release(AMPLE)).isTrue();
    }

    /** They are named in the log, and hide no lock. */
    @Test
    void foreignKeysHideNoLockFromTheList() throws InterruptedException {
        for (String lock : List.of("a", "b", "c", "d", "e")) {
            granted(plain(backend, lock));
        }
        server.command("SET", keys("b").lock(), "hello");
        server.command("DEL", keys("c").lock());
        server.command("RPUSH", keys("c").lock(), "hello");
        server.command("PERSIST", keys("d").lock());
        for (String key :
                List.of("mortise:{a%zz}", "mortise:{%0061}", "mortise:{}", "mortise:{a}b}", "mortise:{a b}")) {
            server.command("SET", key, "hello");
        }
        List<String> warnings = new ArrayList<>();
        Logger logger = Logger.getLogger(LockListing.class.getName());
        Handler handler = new WarningsHandler(warnings);
        logger.addHandler(handler);
        try {
            assertThat(backend.list("", "", 2, AMPLE))
                    .extracting(LockHolder::lock)
                    .containsExactly("a", "e");
            assertThat(backend.list("", "a", 500, AMPLE))
                    .extracting(LockHolder::lock)
                    .containsExactly("e");
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(warnings)
                .anyMatch(text -> text.contains("mortise:{b}"))
                .anyMatch(text -> text.contains("mortise:{c}"))
                .anyMatch(text -> text.contains("mortise:{d}"));
    }

    private static final class WarningsHandler extends Handler {
        private final List<String> warnings;

        private WarningsHandler(List<String> warnings) {
            this.warnings = warnings;
        }

        @Override
        public void publish(LogRecord record) {
            warnings.add(new SimpleFormatter().formatMessage(record));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    private void isAnErrorForAll(Claim holder) {
        assertRefused(() -> plain(backend, "lock").tryAcquire(AMPLE)).hasMessageContaining("something that is no lock");
        assertRefused(() -> waiting(backend, "lock", () -> {}).tryAcquire(AMPLE))
                .hasMessageContaining("something that is no lock");
        assertRefused(() -> holder.renew(LEASE, AMPLE)).hasMessageContaining("something that is no lock");
        assertRefused(() -> holder.release(AMPLE)).hasMessageContaining("something that is no lock");
        assertRefused(() -> backend.inspect("lock", AMPLE)).hasMessageContaining("something that is no lock");
        assertRefused(() -> backend.revoke("lock", "test", true, AMPLE))
                .hasMessageContaining("something that is no lock");
    }
}
