// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd.gateway;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.support.FailureClassifier;
import io.mortise.lock.spi.support.TlsRefusal;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLHandshakeException;

/** Says what failures of requests to etcd mean. Immutable. */
record EtcdFailures(String member, boolean withTls) implements FailureClassifier {
    private static final int INVALID = 3;
    private static final int DENIED = 7;
    private static final int EXHAUSTED = 8;
    private static final int UNIMPLEMENTED = 12;
    private static final int NOT_ETCD = -1;

    /** What etcd will answer again, and what to do. All other reasons may pass. */
    private static final Map<Integer, String> FOR_GOOD = Map.of(
            INVALID,
            "give it a user and a password that it knows, and use shorter names and labels",
            DENIED,
            "give the user the right to read and write the keys under the prefix",
            EXHAUSTED,
            "compact and defragment it, then disarm its alarm, or raise its quota",
            UNIMPLEMENTED,
            "use etcd 3.4 or newer",
            RefusalException.UNAUTHENTICATED,
            "give it a user and a password: etcd://user:password@host",
            NOT_ETCD,
            "use etcd 3.4 or newer, with its gateway (--enable-grpc-gateway), and etcds: for TLS");

    static EtcdFailures of(URI address) {
        return new EtcdFailures(address.getAuthority(), "https".equals(address.getScheme()));
    }

    @Override
    public RuntimeException classify(Throwable failure) {
        if (failure instanceof RefusalException refusal) {
            String message = "etcd at " + member + " refused: " + refusal.getMessage();
            String advice = FOR_GOOD.get(refusal.code());
            return advice == null
                    ? new BackendException(message, refusal)
                    : BackendException.refused(message + "; " + advice, refusal);
        }
        Optional<String> tls = TlsRefusal.of(failure);
        if (tls.isPresent()) {
            return BackendException.refused("etcd at " + member + ": " + tls.get(), failure);
        }
        String what = failure instanceof SocketTimeoutException
                ? "did not answer in time"
                : "did not answer: " + (failure.getMessage() == null ? failure.toString() : failure.getMessage());
        return new BackendException("etcd at " + member + " " + what + hint(failure), failure);
    }

    /**
     * So ends what one side says with TLS and the other without, and a member that is ending, too. A member with TLS says so to a request
     * without, and closes the connection: if that is the faster, the client sees a connection that ended or was reset.
     */
    private String hint(Throwable failure) {
        if (withTls) {
            return failure instanceof SSLHandshakeException
                    ? "; if it does not speak TLS, write etcd: instead of etcds:"
                    : "";
        }
        boolean endedMidway = failure instanceof SocketException && !(failure instanceof ConnectException)
                || String.valueOf(failure.getMessage()).contains("end of file");
        return endedMidway ? "; if it speaks TLS, write etcds: instead of etcd:" : "";
    }
}
