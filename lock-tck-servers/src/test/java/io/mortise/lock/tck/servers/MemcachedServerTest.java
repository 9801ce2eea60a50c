// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;

class MemcachedServerTest {
    @Test
    void answersAtItsUrlAndForgetsOnRestart() {
        try (MemcachedServer server = MemcachedServer.start("-m", "8")) {
            assertThat(server.url()).isEqualTo("memcached://" + server.host() + ":" + server.port());
            assertThat(server.command("set name 0 100 5\nvalue")).containsExactly("STORED");
            assertThat(server.command("get name")).containsExactly("VALUE name 0 5", "value", "END");
            assertThat(server.stats()).containsEntry("limit_maxbytes", "8388608");
            assertThat(server.counter("curr_items")).isEqualTo(1);

            server.flush();
            assertThat(server.command("get name")).containsExactly("END");

            server.command("set name 0 100 5\nvalue");
            server.restart();
            assertThat(server.command("get name")).containsExactly("END");
        }
    }

    @Test
    void oneThatKeepsItsItemsForgetsWhenItIsKilled() {
        try (MemcachedServer server = MemcachedServer.startRestartable()) {
            server.command("set name 0 100 5\nvalue");
            server.stop();
            await().pollDelay(MemcachedServer.LEAST_PAUSE).until(() -> true);
            server.restart();
            assertThat(server.command("get name")).containsExactly("VALUE name 0 5", "value", "END");

            server.restartEmpty();
            assertThat(server.command("get name")).containsExactly("END");
        }
    }
}
