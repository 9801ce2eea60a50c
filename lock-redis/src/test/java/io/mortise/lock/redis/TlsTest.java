// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.tck.servers.RedisCluster;
import io.mortise.lock.tck.servers.RedisSentinels;
import io.mortise.lock.tck.servers.RedisServer;
import io.mortise.lock.tck.servers.certificate.CertificateAuthority;
import io.mortise.lock.tck.servers.certificate.ServerCertificate;
import io.mortise.lock.tck.servers.process.ClientJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code rediss:} promises: the server's certificate is checked, and what is wrong with it is said. */
class TlsTest {
    @TempDir
    static Path directory;

    private static String url(RedisServer server) {
        return server.url().replace("127.0.0.1", "localhost");
    }

    /** At connecting, and so long before the six seconds that a call would ask for. */
    private static void assertRefused(ClientJvm.Result result, String... words) {
        assertThat(result.outcome()).startsWith("LockConfigurationException: ").contains(words);
        assertThat(result.took()).isLessThan(Duration.ofSeconds(6));
    }

    private static ClientJvm clientThatTrusts(CertificateAuthority authority) {
        Path file = directory.resolve(UUID.randomUUID() + ".p12");
        return ClientJvm.create()
                .with(
                        "-Djavax.net.ssl.trustStore=" + authority.writeTrustStore(file),
                        "-Djavax.net.ssl.trustStorePassword=" + CertificateAuthority.PASSWORD);
    }

    @Test
    void theServersCertificateIsChecked() {
        CertificateAuthority trusted = new CertificateAuthority("trusted authority");
        ClientJvm client = clientThatTrusts(trusted);
        try (RedisServer right = RedisServer.startWithTls(trusted.issue("localhost"));
                RedisServer foreign =
                        RedisServer.startWithTls(new CertificateAuthority("somebody else").issue("localhost"));
                RedisServer expired = RedisServer.startWithTls(trusted.issueExpired("localhost"));
                RedisServer plain = RedisServer.start()) {
            List<ClientJvm.Result> results = client.run(
                    url(right),
                    right.url(),
                    url(foreign),
                    url(expired),
                    url(plain).replace("redis:", "rediss:"),
                    url(right).replace("rediss:", "redis:"));

            assertThat(results.get(0).outcome()).isEqualTo("works");
            assertRefused(results.get(1), "another host name", "127.0.0.1");
            assertRefused(results.get(2), "an authority that this client does not trust");
            assertRefused(results.get(3), "has expired", "2021");
            assertRefused(results.get(4), "one without TLS; write redis instead of rediss");
            assertRefused(results.get(5), "one for TLS; write rediss instead of redis");
        }
    }

    /** Servers of a set name each other by address, and clients connect to these addresses. */
    @Test
    void theCertificatesOfSentinelsAndOfAClusterAreChecked() {
        CertificateAuthority trusted = new CertificateAuthority("trusted authority");
        ServerCertificate certificate = trusted.issue("localhost", "127.0.0.1");
        try (RedisSentinels sentinels = RedisSentinels.startWithTls(certificate);
                RedisCluster cluster = RedisCluster.startWithTls(certificate)) {
            String[] urls = {sentinels.url(), cluster.url()};

            assertThat(clientThatTrusts(trusted).run(urls))
                    .extracting(ClientJvm.Result::outcome)
                    .containsOnly("works");
            assertThat(clientThatTrusts(new CertificateAuthority("somebody else"))
                            .run(urls))
                    .allSatisfy(result -> assertRefused(result, "an authority that this client does not trust"));
        }
    }
}
