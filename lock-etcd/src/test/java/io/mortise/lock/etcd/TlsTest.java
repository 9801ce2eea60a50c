// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.tck.servers.EtcdServer;
import io.mortise.lock.tck.servers.certificate.CertificateAuthority;
import io.mortise.lock.tck.servers.process.ClientJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members that speak TLS, and clients that check their certificates. */
class TlsTest {
    @TempDir
    static Path directory;

    @Test
    void theCertificateOfAMemberIsChecked() {
        CertificateAuthority trusted = new CertificateAuthority("trusted authority");
        ClientJvm client = ClientJvm.create()
                .with(
                        "-Djavax.net.ssl.trustStore=" + trusted.writeTrustStore(directory.resolve("trusted.p12")),
                        "-Djavax.net.ssl.trustStorePassword=" + CertificateAuthority.PASSWORD);
        try (EtcdServer right = EtcdServer.startWithTls(trusted.issue("localhost"));
                EtcdServer foreign =
                        EtcdServer.startWithTls(new CertificateAuthority("somebody else").issue("localhost"));
                EtcdServer expired = EtcdServer.startWithTls(trusted.issueExpired("localhost"));
                EtcdServer plain = EtcdServer.start()) {
            List<ClientJvm.Result> results = client.run(
                    byName(right),
                    patient(right),
                    byName(foreign),
                    byName(expired),
                    byName(plain).replace("etcd:", "etcds:"),
                    byName(right).replace("etcds:", "etcd:"));

            assertThat(results.get(0).outcome()).isEqualTo("works");
            assertRefused(results.get(1), "another host name");
            assertRefused(results.get(2), "an authority that this client does not trust");
            assertRefused(results.get(3), "has expired");
            assertThat(results.get(4).outcome()).contains("write etcd: instead of etcds:");
            assertThat(results.get(5).outcome()).contains("etcds:");
        }
    }

    /** A JVM that has just started on a busy machine takes its time for the first handshake. */
    private static String patient(EtcdServer server) {
        return server.url() + "?mortise.callTimeout=20s";
    }

    private static String byName(EtcdServer server) {
        return patient(server).replace("127.0.0.1", "localhost");
    }

    private static void assertRefused(ClientJvm.Result result, String words) {
        assertThat(result.outcome()).startsWith("LockConfigurationException: ").contains(words);
    }
}
