// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.session;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.support.FailureClassifier;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;

/** Classifies the error codes of ZooKeeper requests: refused for good, not answered, or the session has ended. */
public final class ZooKeeperFailures {
    /** Makes the exceptions for the engine. */
    public static final FailureClassifier CLASSIFIER = ZooKeeperFailures::classify;

    private static final Set<Code> NO_ANSWER =
            Set.of(Code.CONNECTIONLOSS, Code.OPERATIONTIMEOUT, Code.REQUESTTIMEOUT, Code.SESSIONMOVED);
    private static final Set<Code> SESSION_OVER = Set.of(Code.SESSIONEXPIRED, Code.UNKNOWNSESSION);
    private static final Set<Code> REFUSED =
            Set.of(Code.NOAUTH, Code.AUTHFAILED, Code.INVALIDACL, Code.SESSIONCLOSEDREQUIRESASLAUTH);

    private ZooKeeperFailures() {}

    /** Whether the connection broke or time ran out: the request may or may not have been carried out. */
    static boolean isNoAnswer(KeeperException failure) {
        return NO_ANSWER.contains(failure.code());
    }

    /** Whether the session of the request has ended. */
    static boolean isEndOfSession(KeeperException failure) {
        return SESSION_OVER.contains(failure.code());
    }

    /** Whether the request was not answered, for whichever reason. */
    public static boolean isUnanswered(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return !(cause instanceof KeeperException known) || isNoAnswer(known) || isEndOfSession(known);
    }

    private static BackendException classify(Throwable failure) {
        if (failure instanceof KeeperException refused && REFUSED.contains(refused.code())) {
            return BackendException.refused(
                    "ZooKeeper refuses access (" + refused.code() + " for " + refused.getPath()
                            + "); check user and password, and the ACLs of the root and of what lies under it",
                    failure);
        }
        if (failure instanceof KeeperException.UnimplementedException) {
            return BackendException.refused("this ZooKeeper has no container nodes; use 3.5.3 or newer", failure);
        }
        return new BackendException("ZooKeeper did not answer: " + failure.getMessage(), failure);
    }
}
