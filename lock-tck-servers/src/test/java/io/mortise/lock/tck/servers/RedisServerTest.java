// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RedisServerTest {
    private static RedisServer server;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void flush() {
        server.flush();
    }

    @Test
    void answersAtItsUrl() {
        assertThat(server.url()).isEqualTo("redis://" + server.host() + ":" + server.port());
        assertThat(server.command("PING")).isEqualTo("PONG");
    }

    @Test
    void understandsEveryKindOfReply() {
        assertThat(server.command("SET", "name", "Müller\r\n")).isEqualTo("OK");
        assertThat(server.command("GET", "name")).isEqualTo("Müller\r\n");
        assertThat(server.command("GET", "nobody")).isNull();
        assertThat(server.command("INCR", "count")).isEqualTo(1L);
        assertThat(server.command("EVAL", "return {1, 'two', {3}}", "0")).isEqualTo(List.of(1L, "two", List.of(3L)));
        assertThatThrownBy(() -> server.command("NONSENSE"))
                .isInstanceOf(RedisErrorException.class)
                .hasMessageContaining("NONSENSE");
    }

    @Test
    void flushesKeysAndScripts() {
        Object script = server.command("SCRIPT", "LOAD", "return 1");
        server.command("SET", "name", "value");

        server.flush();

        assertThat(server.command("DBSIZE")).isEqualTo(0L);
        assertThat(server.command("SCRIPT", "EXISTS", String.valueOf(script))).isEqualTo(List.of(0L));
    }

    @Test
    void countsCommandsInsideScriptsToo() {
        server.command("CONFIG", "RESETSTAT");

        server.command("EVAL", "redis.call('set', KEYS[1], '1') return redis.call('get', KEYS[1])", "1", "key");

        assertThat(server.commandStats())
                .containsEntry("eval", 1L)
                .containsEntry("set", 1L)
                .containsEntry("get", 1L);
    }

    @Test
    void answersNothingWhileItIsPaused() throws IOException {
        try (RedisConnection connection = new RedisConnection(server.host(), server.port(), 300)) {
            connection.command("PING");
            server.pause();
            try {
                assertThatThrownBy(() -> connection.command("SET", "name", "late"))
                        .isInstanceOf(SocketTimeoutException.class);
                assertThat(server.isRunning()).isTrue();
            } finally {
                server.resume();
            }
        }
        assertThat(server.command("GET", "name")).isEqualTo("late");
    }

    @Test
    void forgetsWhenItIsKilledUnlessItSaves() {
        int port = server.port();
        server.command("SET", "name", "value");

        server.kill();
        assertThat(server.isRunning()).isFalse();
        assertThatThrownBy(() -> server.command("PING")).hasMessageContaining("refused");
        server.restart();

        assertThat(server.port()).isEqualTo(port);
        assertThat(server.command("GET", "name")).isNull();
    }

    @Test
    void keepsWhatItSavedUntilItIsToLoseIt() {
        try (RedisServer saving = RedisServer.start("--appendonly", "yes", "--appendfsync", "always")) {
            saving.command("SET", "name", "value");

            saving.kill();
            saving.restart();
            assertThat(saving.command("GET", "name")).isEqualTo("value");

            saving.restart();
            assertThat(saving.command("GET", "name")).isEqualTo("value");

            saving.restartEmpty();
            assertThat(saving.command("GET", "name")).isNull();
        }
    }

    @Test
    void startsThoughItWantsAPassword() throws IOException {
        try (RedisServer guarded = RedisServer.start("--requirepass", "secret");
                RedisConnection connection = new RedisConnection(guarded.host(), guarded.port())) {
            assertThatThrownBy(() -> connection.command("PING")).hasMessageStartingWith("NOAUTH");
            assertThat(connection.command("AUTH", "secret")).isEqualTo("OK");
            assertThat(connection.command("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void tellsWhyItDoesNotStart() {
        assertThatThrownBy(() -> RedisServer.start("--no-such-option"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("redis-server")
                .hasMessageContaining("no-such-option");
    }
}
