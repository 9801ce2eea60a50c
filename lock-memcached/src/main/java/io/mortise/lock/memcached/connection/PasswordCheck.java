// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.connection;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.security.auth.callback.CallbackHandler;
import net.spy.memcached.ops.OperationCallback;
import net.spy.memcached.ops.SASLAuthOperation;
import net.spy.memcached.protocol.binary.BinaryOperationFactory;
import net.spy.memcached.protocol.binary.SASLAuthOperationImpl;

/**
 * Notes which servers have rejected the user and the password. The driver does not tell: it connects again, and looks the same as
 * when a server closes connections for another reason. Thread-safe.
 */
final class PasswordCheck extends BinaryOperationFactory {
    private static final int REJECTED = 0x20;

    private final Set<String> rejected = ConcurrentHashMap.newKeySet();

    /** Whether the last answer of a server, named by its socket address, was that it rejects them. */
    boolean isRejectedBy(String server) {
        return rejected.contains(server);
    }

    @Override
    public SASLAuthOperation saslAuth(
            String[] mechanisms,
            String server,
            Map<String, ?> properties,
            CallbackHandler credentials,
            OperationCallback callback) {
        return new SASLAuthOperationImpl(mechanisms, server, properties, credentials, callback) {
            @Override
            protected void finishedPayload(byte[] payload) throws IOException {
                if (errorCode == REJECTED) {
                    rejected.add(server);
                } else {
                    rejected.remove(server);
                }
                super.finishedPayload(payload);
            }
        };
    }
}
