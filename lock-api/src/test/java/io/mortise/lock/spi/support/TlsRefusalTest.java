// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.security.InvalidAlgorithmParameterException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TlsRefusalTest {
    static Stream<Arguments> refusals() {
        return Stream.of(
                Arguments.of(new CertificateExpiredException("NotAfter: …"), "has expired (NotAfter: …)"),
                Arguments.of(new CertificateNotYetValidException("NotBefore: …"), "is not valid yet"),
                Arguments.of(new CertPathBuilderException("unable to find"), "that this client does not trust"),
                Arguments.of(
                        new InvalidAlgorithmParameterException("the trustAnchors parameter must be non-empty"),
                        "trust store is empty or missing"),
                Arguments.of(new CertificateException("No name matching a found"), "for another host name"),
                Arguments.of(
                        new CertificateException("No subject alternative DNS name matching a found."),
                        "for another host name"),
                Arguments.of(new SSLPeerUnverifiedException("a is not b"), "for another host name"),
                Arguments.of(new CertificateException("revoked"), "is not accepted: revoked"),
                Arguments.of(
                        new SSLException("Unsupported or unrecognized SSL message"), "does not speak TLS at this port"),
                Arguments.of(
                        new SSLHandshakeException("Received fatal alert: certificate_required"),
                        "wants a certificate of the client"),
                Arguments.of(
                        new SSLHandshakeException("Received fatal alert: handshake_failure"),
                        "refused the client's version of TLS"),
                Arguments.of(
                        new SSLHandshakeException("No appropriate protocol (…)"), "this JVM allows no version of TLS"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void aRefusalIsExplainedWhereverItStands(Throwable cause, String words) {
        Throwable handshake = new SSLHandshakeException("PKIX path validation failed").initCause(cause);
        RuntimeException hidden = new RuntimeException("no node answered");
        hidden.addSuppressed(new UncheckedIOException((IOException) handshake));

        assertThat(TlsRefusal.of(cause))
                .hasValueSatisfying(sentence -> assertThat(sentence).contains(words));
        assertThat(TlsRefusal.of(hidden)).isEqualTo(TlsRefusal.of(cause));
    }

    static Stream<Throwable> accidents() {
        return Stream.of(
                new SocketException("Connection reset"),
                new SSLException("Read timed out", new SocketTimeoutException()),
                new SSLHandshakeException("Remote host terminated the handshake").initCause(new EOFException()),
                new SSLHandshakeException("Received fatal alert: internal_error"),
                new IllegalStateException("No name matching"));
    }

    @ParameterizedTest
    @MethodSource("accidents")
    void aConnectionThatMayComeAboutNextTimeIsNotRefused(Throwable accident) {
        assertThat(TlsRefusal.of(accident)).isEmpty();
    }

    @Test
    void causesThatGoInACircleAreLookedAtOnce() {
        RuntimeException one = new RuntimeException("one");
        one.addSuppressed(new RuntimeException("other", one));

        assertThat(TlsRefusal.of(one)).isEmpty();
        assertThat(TlsRefusal.of(null)).isEmpty();
    }
}
