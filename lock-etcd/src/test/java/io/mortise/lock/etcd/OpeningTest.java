// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.tck.servers.EtcdServer;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What can be opened, and what is said of the rest. */
class OpeningTest {
    private static EtcdServer server;

    @BeforeAll
    static void start() {
        server = EtcdServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
        "etcd://h/x1, no path",
        "etcd://u@h, a user or a password",
        "etcd://h?prefix=, 1 to 200",
        "etcd://h?other=1, other",
        "'etcd://', host"
    })
    void mistakesAreToldAtOnce(String url, String part) {
        assertThatThrownBy(() -> LockClient.connect(url))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining(part);
    }

    @ParameterizedTest
    @CsvSource({"ftp://h", "http://", "http://u:p@h"})
    void aMemberHasAnAddressOfHttp(String member) {
        List<URI> members = List.of(URI.create(member.equals("http://") ? "http:x" : member));
        assertThatThrownBy(() -> EtcdBackend.builder(members)).isInstanceOf(LockConfigurationException.class);
    }

    @Test
    void atLeastOneMemberIsNamed() {
        List<URI> none = List.of();
        assertThatThrownBy(() -> EtcdBackend.builder(none)).isInstanceOf(LockConfigurationException.class);
    }

    @Test
    void aMemberThatIsNotThereIsLeftForTheNext() throws Exception {
        int nobody;
        try (ServerSocket closed = new ServerSocket(0)) {
            nobody = closed.getLocalPort();
        }
        String url = "etcd://127.0.0.1:" + nobody + "," + server.host() + ":" + server.port();
        try (LockClient client = LockClient.connect(url)) {
            client.lock("first").acquire().close();
        }
        try (LockClient client = LockClient.builder("etcd://127.0.0.1:" + nobody)
                .callTimeout(Duration.ofMillis(500))
                .build()) {
            assertThatThrownBy(() -> client.lock("none").tryAcquire())
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("127.0.0.1:" + nobody);
        }
    }

    @Test
    void anApplicationBringsItsOwnTrustAndPrefix() throws Exception {
        URI member = URI.create("http://" + server.host() + ":" + server.port());
        try (LockClient own = LockClient.builder(EtcdBackend.builder(List.of(member))
                                .sslContext(SSLContext.getDefault())
                                .prefix("own/")
                                .build())
                        .build();
                LockClient others = LockClient.connect(server.url())) {
            own.lock("same").acquire();
            assertThat(others.lock("same").tryAcquire())
                    .as("other prefixes, other locks")
                    .isPresent();
            assertThat(own.lock("same").holder()).isPresent();
        }
    }
}
