// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import java.security.InvalidAlgorithmParameterException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * Explains why client and server did not agree on a TLS connection: the client does not accept the server's certificate, the server
 * wants one of the client, or one of them does not speak TLS. No connection came about, so no call was sent; and it stays so
 * until somebody changes client or server. The mere end of a connection or a timeout is no such refusal.
 */
public final class TlsRefusal {
    private static final String ALERT = "Received fatal alert: ";

    private TlsRefusal() {}

    /**
     * What is wrong, and what to do.
     *
     * @param failure what the driver threw; its causes and suppressed exceptions are looked at, too
     * @return a sentence without a full stop; empty if TLS is not why the driver failed, or might come about at the next attempt
     */
    public static Optional<String> of(@Nullable Throwable failure) {
        return of(failure, Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    private static Optional<String> of(@Nullable Throwable failure, Set<Throwable> seen) {
        if (failure == null || !seen.add(failure)) {
            return Optional.empty();
        }
        // The deepest cause says most.
        return of(failure.getCause(), seen)
                .or(() -> Arrays.stream(failure.getSuppressed())
                        .flatMap(each -> of(each, seen).stream())
                        .findFirst())
                .or(() -> explain(failure));
    }

    private static Optional<String> explain(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof CertificateExpiredException) {
            return Optional.of("the server's certificate has expired (" + message + "); give the server a new one");
        }
        if (failure instanceof CertificateNotYetValidException) {
            return Optional.of("the server's certificate is not valid yet (" + message + "); check the clocks");
        }
        if (failure instanceof CertPathBuilderException) {
            return Optional.of("the server's certificate is from an authority that this client does not trust; add the"
                    + " authority's certificate to the trust store of the client (" + message + ")");
        }
        if (failure instanceof InvalidAlgorithmParameterException && message.contains("trustAnchors")) {
            return Optional.of(
                    "the client's trust store is empty or missing, so no certificate of a server is trusted");
        }
        if (isName(failure, message)) {
            return Optional.of(
                    "the server's certificate is for another host name; name the server as its certificate does, or"
                            + " give it one for this name (" + message + ")");
        }
        if (failure instanceof CertificateException) {
            return Optional.of("the server's certificate is not accepted: " + message);
        }
        return failure instanceof SSLException ? explain(message) : Optional.empty();
    }

    /** The JDK has no type for it. */
    private static boolean isName(Throwable failure, String message) {
        return failure instanceof SSLPeerUnverifiedException
                || (failure instanceof CertificateException
                        && (message.startsWith("No subject alternative") || message.startsWith("No name matching")));
    }

    private static Optional<String> explain(String message) {
        if (message.startsWith("Unsupported or unrecognized SSL message")) {
            return Optional.of(
                    "the server does not speak TLS at this port; connect without TLS, or to its port for TLS");
        }
        if (message.startsWith(ALERT + "certificate_required") || message.startsWith(ALERT + "bad_certificate")) {
            return Optional.of(
                    "the server wants a certificate of the client that it trusts; give the client a key store ("
                            + message + ")");
        }
        if (message.startsWith(ALERT + "handshake_failure") || message.startsWith(ALERT + "protocol_version")) {
            return Optional.of(
                    "the server refused the client's version of TLS, its ciphers, or that it has no certificate ("
                            + message + ")");
        }
        return message.startsWith("No appropriate protocol")
                ? Optional.of("this JVM allows no version of TLS that the URL allows (" + message + ")")
                : Optional.empty();
    }
}
