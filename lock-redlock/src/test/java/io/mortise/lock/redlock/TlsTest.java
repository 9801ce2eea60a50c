// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.tck.servers.RedisServer;
import io.mortise.lock.tck.servers.certificate.CertificateAuthority;
import io.mortise.lock.tck.servers.certificate.ServerCertificate;
import io.mortise.lock.tck.servers.process.ClientJvm;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code redlocks:} promises: the certificates of all members are checked. */
class TlsTest {
    @TempDir
    static Path directory;

    @Test
    void theCertificatesOfTheMembersAreChecked() {
        CertificateAuthority trusted = new CertificateAuthority("trusted authority");
        ClientJvm client = ClientJvm.create()
                .with(
                        "-Djavax.net.ssl.trustStore=" + trusted.writeTrustStore(directory.resolve("trusted.p12")),
                        "-Djavax.net.ssl.trustStorePassword=" + CertificateAuthority.PASSWORD);
        ServerCertificate right = trusted.issue("localhost");
        try (RedisServer one = RedisServer.startWithTls(right);
                RedisServer two = RedisServer.startWithTls(right);
                RedisServer three = RedisServer.startWithTls(right);
                RedisServer foreign =
                        RedisServer.startWithTls(new CertificateAuthority("somebody else").issue("localhost"));
                RedisServer plain = RedisServer.start()) {
            assertThat(client.run(url(one, two, three), url(one, foreign, three), url(one, two, plain)))
                    .extracting(ClientJvm.Result::outcome)
                    .satisfiesExactly(
                            works -> assertThat(works).isEqualTo("works"),
                            refused -> assertThat(refused)
                                    .startsWith("LockConfigurationException: ")
                                    .contains("an authority that this client does not trust"),
                            refused -> assertThat(refused)
                                    .startsWith("LockConfigurationException: ")
                                    .contains("one without TLS"));
        }
    }

    private static String url(RedisServer... members) {
        return Stream.of(members)
                .map(member -> "localhost:" + member.port())
                .collect(Collectors.joining(",", "redlocks://", "?newQuorum=true"));
    }
}
