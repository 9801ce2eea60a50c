// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.redis.connections.ReleaseListener;
import io.mortise.lock.spi.support.CallDeadline;
import io.mortise.lock.tck.servers.RedisServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;

/** A server without the command {@code HELLO}, or a proxy that does not know it, quotes its arguments: the password. */
class QuotedPasswordTest {
    private static final String PASSWORD = "hunter2";

    private final StringBuffer logged = new StringBuffer();
    private final Handler recorder = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            logged.append(new SimpleFormatter().format(entry));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private static RedisServer withoutHello() {
        return RedisServer.start("--rename-command", "HELLO", "");
    }

    @Test
    void noExceptionShowsIt() {
        try (RedisServer server = withoutHello()) {
            // Not through a client, which would remove it anyway.
            Throwable refusal = catchThrowable(() -> {
                try (RedisBackend backend = Claims.open(server.url().replace("//", "//app:" + PASSWORD + "@"))) {
                    backend.list("", "", 10, Claims.AMPLE);
                }
            });
            assertThat(refusal).hasMessageContaining("is it Redis 6.2 or newer?");
            StringWriter trace = new StringWriter();
            refusal.printStackTrace(new PrintWriter(trace, true));
            assertThat(trace.toString()).contains("unknown command 'HELLO'").doesNotContain(PASSWORD);
        }
    }

    @Test
    void noLogShowsIt() {
        Logger logger = Logger.getLogger(ReleaseListener.class.getName());
        Level before = logger.getLevel();
        logger.addHandler(recorder);
        logger.setLevel(Level.ALL);
        try (RedisServer server = withoutHello();
                ReleaseListener listener = new ReleaseListener(
                        () -> new Connection(
                                new HostAndPort(server.host(), server.port()),
                                DefaultJedisClientConfig.builder()
                                        .resp2()
                                        .password(PASSWORD)
                                        .build()),
                        "mortise:client:test")) {
            await().atMost(Duration.ofMinutes(1)).until(() -> {
                CallDeadline.<Boolean>uninterruptibly("Redis", Duration.ofMillis(100), listener::awaitLive);
                return logged.indexOf("unknown command") >= 0;
            });
        } finally {
            logger.removeHandler(recorder);
            logger.setLevel(before);
        }
        assertThat(logged.toString()).contains("'HELLO'").doesNotContain(PASSWORD);
    }
}
