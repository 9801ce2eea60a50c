// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.session;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockException;
import io.mortise.lock.spi.BackendException;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;

/** What failures of ZooKeeper mean. */
public final class ZooKeeperFailures {
    private static final Set<Code> SILENCE =
            Set.of(Code.CONNECTIONLOSS, Code.OPERATIONTIMEOUT, Code.REQUESTTIMEOUT, Code.SESSIONMOVED);
    private static final Set<Code> SESSION_OVER = Set.of(Code.SESSIONEXPIRED, Code.UNKNOWNSESSION);
    private static final Set<Code> REFUSAL =
            Set.of(Code.NOAUTH, Code.AUTHFAILED, Code.INVALIDACL, Code.SESSIONCLOSEDREQUIRESASLAUTH);

    private ZooKeeperFailures() {}

    /** Whether nobody knows what became of the request. */
    public static boolean isSilence(KeeperException failure) {
        return SILENCE.contains(failure.code());
    }

    /** Whether the session of the request has ended. */
    public static boolean isEndOfSession(KeeperException failure) {
        return SESSION_OVER.contains(failure.code());
    }

    /** Whether the request was not answered, for whichever reason. */
    public static boolean isUnanswered(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return !(cause instanceof KeeperException known) || isSilence(known) || isEndOfSession(known);
    }

    /** An exception for the engine. */
    public static RuntimeException unanswered(Throwable failure) {
        if (failure instanceof BackendException || failure instanceof LockException) {
            return (RuntimeException) failure;
        }
        if (failure instanceof KeeperException refused && REFUSAL.contains(refused.code())) {
            return new LockConfigurationException(
                    "ZooKeeper refuses access (" + refused.code() + " for " + refused.getPath()
                            + "); check user and password, and the ACLs of the root and of what lies under it");
        }
        if (failure instanceof KeeperException.UnimplementedException) {
            return new LockConfigurationException("this ZooKeeper has no container nodes; use 3.5.3 or newer");
        }
        return new BackendException("ZooKeeper did not answer: " + failure.getMessage(), failure);
    }
}
