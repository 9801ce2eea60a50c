// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.tck.servers.EtcdServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A cluster that knows users: one of them may read and write the keys of locks. */
class AuthenticationTest {
    private static final Duration AMPLE = Duration.ofSeconds(60);

    private static EtcdServer server;

    @BeforeAll
    static void start() throws IOException {
        server = EtcdServer.start();
        user("root", "r00t", "root");
        user("app", "s3cret", "locks");
        server.post(
                "auth/role/grant",
                "{\"name\":\"locks\",\"perm\":{\"permType\":\"READWRITE\",\"key\":\"" + base64("mortise/")
                        + "\",\"range_end\":\"" + base64("mortise0") + "\"}}");
        server.post("auth/enable", "{}");
    }

    private static void user(String name, String password, String role) throws IOException {
        server.post("auth/role/add", "{\"name\":\"" + role + "\"}");
        server.post("auth/user/add", "{\"name\":\"" + name + "\",\"password\":\"" + password + "\"}");
        server.post("auth/user/grant", "{\"user\":\"" + name + "\",\"role\":\"" + role + "\"}");
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static LockClient client(String user, String options) {
        String url = "etcd://" + user + server.host() + ":" + server.port() + options;
        return LockClient.builder(url).callTimeout(AMPLE).build();
    }

    @Test
    void aUserWithThePermissionLocksAndWaits() throws Exception {
        try (LockClient one = client("app:s3cret@", "");
                LockClient other = client("app:s3cret@", "")) {
            Lease held = one.lock("stock").acquire();
            CompletableFuture<Lease> waiting = other.lock("stock").acquireAsync();
            DistributedLock lock = one.lock("stock");
            await().atMost(AMPLE).until(() -> lock.holder()
                    .filter(holder -> holder.waiters().orElse(0) == 1)
                    .isPresent());
            held.close();
            assertThat(waiting.get().isHeld()).isTrue();
            waiting.get().close();
        }
    }

    /** The tokens of users are in the memory of a member. */
    @Test
    void aUserSignsInAgainWhenTheMemberHasForgottenIt() throws Exception {
        try (LockClient one = client("app:s3cret@", "")) {
            one.lock("forgotten").acquire().close();
            server.kill();
            server.restart();
            one.lock("forgotten").acquire().close();
        }
    }

    @Test
    void whoIsNotLetInIsToldWhatToDo() {
        for (String wrong : new String[] {"", "app:wrong@", "nobody:s3cret@"}) {
            try (LockClient client = client(wrong, "")) {
                assertThatThrownBy(() -> client.lock("stock").tryAcquire())
                        .isInstanceOf(LockConfigurationException.class)
                        .hasMessageContaining("a user and a password")
                        .hasMessageNotContaining("s3cret")
                        .hasMessageNotContaining("wrong");
            }
        }
    }

    @Test
    void whoMayNotIsToldWhatToDo() {
        try (LockClient client = client("app:s3cret@", "?prefix=other/")) {
            assertThatThrownBy(() -> client.lock("stock").tryAcquire())
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("right to read and write");
        }
    }
}
