// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.URI;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EtcdFailuresTest {
    private static final EtcdFailures PLAIN = EtcdFailures.of(URI.create("http://etcd.example:2379"));
    private static final EtcdFailures TLS = EtcdFailures.of(URI.create("https://etcd.example:2379"));

    /** How a request without TLS may end at a member with TLS, besides an answer that says so. */
    private static Stream<IOException> ends() {
        return Stream.of(
                new SocketException("Connection reset"),
                new SocketException("Broken pipe"),
                new SocketException("Unexpected end of file from server"));
    }

    @ParameterizedTest
    @MethodSource("ends")
    void aConnectionThatEndsMidwayMayLeadToAMemberWithTls(IOException end) {
        assertThat(PLAIN.classify(end))
                .hasMessageStartingWith("etcd at etcd.example:2379 did not answer: " + end.getMessage())
                .hasMessageEndingWith("write etcds: instead of etcd:");
        assertThat(TLS.classify(end)).hasMessageEndingWith(end.getMessage());
    }

    @Test
    void aConnectionThatIsRefusedSaysNothingOfTls() {
        assertThat(PLAIN.classify(new ConnectException("Connection refused")))
                .hasMessage("etcd at etcd.example:2379 did not answer: Connection refused");
    }

    @Test
    void aHandshakeThatEndsMidwayMayLeadToAMemberWithoutTls() {
        assertThat(TLS.classify(new SSLHandshakeException("Remote host terminated the handshake")))
                .hasMessageEndingWith("write etcd: instead of etcds:");
    }
}
