// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.tck.servers.MariaDbServer;
import io.mortise.lock.tck.servers.PostgresServer;
import io.mortise.lock.tck.servers.certificate.CertificateAuthority;
import io.mortise.lock.tck.servers.certificate.ServerCertificate;
import io.mortise.lock.tck.servers.process.ClientClock;
import io.mortise.lock.tck.servers.process.ClientJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the strict TLS modes of the drivers promise: the server's certificate is checked, and what is wrong is said at connecting. */
class TlsTest {
    private static final CertificateAuthority TRUSTED = new CertificateAuthority("trusted authority");
    private static final CertificateAuthority FOREIGN = new CertificateAuthority("somebody else");

    @TempDir
    static Path directory;

    static PostgresServer postgres;
    static MariaDbServer mariaDb;

    @BeforeAll
    static void start() {
        ServerCertificate certificate = TRUSTED.issue("localhost");
        postgres = PostgresServer.startWithTls(certificate);
        mariaDb = MariaDbServer.startWithTls(certificate);
    }

    @AfterAll
    static void stop() {
        postgres.close();
        mariaDb.close();
    }

    private static String postgresUrl(String host, CertificateAuthority authority) {
        return postgres.urlAt(host, postgres.port()) + "&sslmode=verify-full&sslrootcert=" + pem(authority);
    }

    private static String mariaDbUrl(String host, CertificateAuthority authority) {
        return mariaDb.urlAt(host, mariaDb.port()) + "&sslMode=verify-full&serverSslCert=" + pem(authority);
    }

    private static Path pem(CertificateAuthority authority) {
        try {
            return Files.writeString(Files.createTempFile(directory, "authority", ".crt"), authority.pem());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void assertRefused(String url, String words) {
        assertThatThrownBy(() -> LockClient.connect(url).close())
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining(words)
                .hasMessageNotContaining("password=mortise");
    }

    /** Fifty years from now it is over. */
    @Test
    void aCertificateIsAcceptedUntilItsEnd() {
        String[] urls = {postgresUrl("localhost", TRUSTED), mariaDbUrl("localhost", TRUSTED)};

        assertThat(ClientJvm.create().run(urls))
                .extracting(ClientJvm.Result::outcome)
                .containsOnly("works");
        assertThat(ClientJvm.create()
                        .in(ClientClock.environment(Duration.ofDays(50 * 365)))
                        .run(urls))
                .extracting(ClientJvm.Result::outcome)
                .allSatisfy(outcome -> assertThat(outcome)
                        .startsWith("LockConfigurationException: ")
                        .contains("the server's certificate has expired"));
    }

    @Test
    void aCertificateForAnotherHostNameIsRefused() {
        assertRefused(postgresUrl("127.0.0.1", TRUSTED), "the server's certificate is for another host name");
        assertRefused(mariaDbUrl("127.0.0.1", TRUSTED), "the server's certificate is for another host name");
    }

    @Test
    void aCertificateOfAnUnknownAuthorityIsRefused() {
        assertRefused(postgresUrl("localhost", FOREIGN), "from an authority that this client does not trust");
        assertRefused(mariaDbUrl("localhost", FOREIGN), "from an authority that this client does not trust");
        assertRefused(
                mariaDb.urlAt("localhost", mariaDb.port()) + "&sslMode=verify-full",
                "from an authority that this client does not trust");
    }

    /** H2 checks who has issued a certificate, and not for which host: docs/backends/jdbc.md says so. */
    @Test
    void anH2ServerNeedsACertificateOfATrustedAuthority() throws Exception {
        Path trust = TRUSTED.writeTrustStore(directory.resolve("trusted.p12"));
        ClientJvm client = ClientJvm.create()
                .with(
                        "-Djavax.net.ssl.trustStore=" + trust,
                        "-Djavax.net.ssl.trustStorePassword=" + CertificateAuthority.PASSWORD);
        Path right = TRUSTED.issue("localhost").writeKeyStore(directory.resolve("right.p12"));
        Path foreign = FOREIGN.issue("localhost").writeKeyStore(directory.resolve("foreign.p12"));
        try (H2Process server = H2Process.startWithTls(Files.createTempDirectory(directory, "h2"), right);
                H2Process other = H2Process.startWithTls(Files.createTempDirectory(directory, "h2"), foreign);
                H2Process plain = H2Process.start(Files.createTempDirectory(directory, "h2"))) {
            List<ClientJvm.Result> results = client.run(
                    tls(server).replace("127.0.0.1", "localhost"), tls(server), tls(other), tls(plain), server.url());
            assertThat(results)
                    .extracting(ClientJvm.Result::outcome)
                    .satisfiesExactly(
                            named -> assertThat(named).isEqualTo("works"),
                            otherName -> assertThat(otherName).isEqualTo("works"),
                            unknown -> assertThat(unknown)
                                    .startsWith("LockConfigurationException: ")
                                    .contains("from an authority that this client does not trust"),
                            notTls -> assertThat(notTls)
                                    .startsWith("LockConfigurationException: ")
                                    .contains("does not speak TLS at this port"),
                            onlyTls -> assertThat(onlyTls)
                                    .startsWith("LockConfigurationException: ")
                                    .contains("write jdbc:h2:ssl: instead of jdbc:h2:tcp:"));
        }
    }

    private static String tls(H2Process server) {
        return server.url().replace("jdbc:h2:tcp:", "jdbc:h2:ssl:");
    }
}
