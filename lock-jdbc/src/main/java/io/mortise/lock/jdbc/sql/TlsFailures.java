// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import io.mortise.lock.spi.support.TlsRefusal;
import java.util.Optional;

/** Tells why a driver and a server did not agree on a TLS connection: of some refusals the drivers have only a message of their own. */
final class TlsFailures {
    /** What H2 makes of an alert, the record in which a server with TLS tells a client without that it does not understand. */
    private static final String H2_ALERT = "unexpected status 3525";

    private TlsFailures() {}

    /** What is wrong and what to do; empty if TLS is not why a call failed. {@code message} is the driver's, without secrets. */
    static Optional<String> sentence(Throwable failure, String message) {
        // The PostgreSQL driver names its verifier in every language, the MariaDB driver does not ask the JVM.
        if (message.contains("HostnameVerifier") || message.contains("hostname verification failed")) {
            return Optional.of(
                    "the server's certificate is for another host name; name the server as its certificate does, or give"
                            + " it one for this name (" + message + ")");
        }
        if (message.startsWith("The server does not support SSL")
                || message.contains("ssl not enabled in the server")) {
            return Optional.of(
                    "the server does not speak TLS, which the URL demands; turn it on in the server (" + message + ")");
        }
        if (message.contains("Self signed certificates")) {
            return Optional.of(
                    "the server's certificate is from an authority that this client does not trust; name the authority's"
                            + " certificate in the URL (" + message + ")");
        }
        if (message.contains(H2_ALERT)) {
            return Optional.of(
                    "the server speaks TLS at this port; write jdbc:h2:ssl: instead of jdbc:h2:tcp:, or name its port"
                            + " without TLS");
        }
        return TlsRefusal.of(failure);
    }
}
