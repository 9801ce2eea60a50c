// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.tck.servers.ZooKeeperServer;
import io.mortise.lock.tck.servers.certificate.CertificateAuthority;
import io.mortise.lock.tck.servers.certificate.ServerCertificate;
import io.mortise.lock.tck.servers.process.ClientJvm;
import io.mortise.lock.tck.servers.support.FreePort;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What ZooKeeper's own client does with the system properties that docs/backends/zookeeper.md names, and what we say of it. */
class TlsTest {
    @TempDir
    static Path directory;

    private static ZooKeeperServer start(int securePort, ServerCertificate certificate) {
        return ZooKeeperServer.start(
                "secureClientPort=" + securePort,
                "secureClientPortAddress=127.0.0.1",
                "serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory",
                "ssl.keyStore.location=" + certificate.writeKeyStore(directory.resolve(UUID.randomUUID() + ".p12")),
                "ssl.keyStore.password=" + CertificateAuthority.PASSWORD,
                "ssl.clientAuth=none");
    }

    private static ClientJvm clientThatTrusts(CertificateAuthority authority) {
        Path file = directory.resolve(UUID.randomUUID() + ".p12");
        return ClientJvm.create()
                .with(
                        "-Dzookeeper.client.secure=true",
                        "-Dzookeeper.clientCnxnSocket=org.apache.zookeeper.ClientCnxnSocketNetty",
                        "-Dzookeeper.ssl.trustStore.location=" + authority.writeTrustStore(file),
                        "-Dzookeeper.ssl.trustStore.password=" + CertificateAuthority.PASSWORD);
    }

    private static void assertRefused(ClientJvm.Result result, String words) {
        assertThat(result.outcome()).startsWith("LockConfigurationException: ").contains(words);
    }

    /** ZooKeeper's client looks up the name of an address, so that a certificate for localhost is one for 127.0.0.1, too. */
    @Test
    void theServersCertificateIsChecked() {
        CertificateAuthority trusted = new CertificateAuthority("trusted authority");
        int port = FreePort.pick();
        int otherPort = FreePort.pick();
        String url = "zookeeper://localhost:" + port;
        try (ZooKeeperServer server = start(port, trusted.issue("localhost"));
                ZooKeeperServer other = start(otherPort, trusted.issue("elsewhere.example.org"))) {
            List<ClientJvm.Result> results =
                    clientThatTrusts(trusted).run(url, "zookeeper://localhost:" + otherPort, server.url());

            assertThat(results.get(0).outcome()).isEqualTo("works");
            assertRefused(results.get(1), "the server's certificate is for another host name");
            assertRefused(results.get(2), "one without TLS; name the port for TLS");
            assertThat(other.isRunning()).isTrue();
            assertRefused(
                    clientThatTrusts(new CertificateAuthority("somebody else"))
                            .run(url)
                            .get(0),
                    "from an authority that this client does not trust");
            assertRefused(ClientJvm.create().run(url).get(0), "one for TLS; set zookeeper.client.secure");
        }
    }
}
