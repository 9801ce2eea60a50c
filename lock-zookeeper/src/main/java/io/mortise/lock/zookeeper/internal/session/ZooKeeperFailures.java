// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.session;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.support.FailureClassifier;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;

/** Classifies the error codes of ZooKeeper requests: refused for good, not answered, or the session has ended. */
public final class ZooKeeperFailures {
    /** Makes the exceptions for the engine where it is not known which servers were asked. */
    public static final FailureClassifier CLASSIFIER = failure -> classify(CuratorSessions.STORE, failure);

    private static final Set<Code> NO_ANSWER =
            Set.of(Code.CONNECTIONLOSS, Code.OPERATIONTIMEOUT, Code.REQUESTTIMEOUT, Code.SESSIONMOVED);
    private static final Set<Code> SESSION_OVER = Set.of(Code.SESSIONEXPIRED, Code.UNKNOWNSESSION);

    /**
     * What a server will not do however often it is asked, and what to do about it. A server that is read-only for the moment
     * (NOTREADONLY), or throttles (THROTTLEDOP), is not among them.
     */
    private static final Map<Code, String> REFUSED = Map.of(
            Code.NOAUTH, "give its user the permissions that it lacks there, or correct user and password",
            Code.AUTHFAILED, "correct the credentials, or allow their scheme on the servers",
            Code.SESSIONCLOSEDREQUIRESASLAUTH,
                    "the servers ask for credentials of another scheme; give them to the client",
            Code.INVALIDACL, "the access list names no user; correct the option acl, or give the client credentials",
            Code.QUOTAEXCEEDED, "raise the quota there",
            Code.NOCHILDRENFOREPHEMERALS, "the node above it ends with a session; choose another root",
            Code.EPHEMERALONLOCALSESSION, "set localSessionsUpgradingEnabled=true on the servers",
            Code.UNIMPLEMENTED, "use ZooKeeper 3.5.3 or newer, which has container nodes");

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
        Throwable cause = unwrapped(failure);
        return !(cause instanceof KeeperException known) || isNoAnswer(known) || isEndOfSession(known);
    }

    /** Whether the request was refused as client and servers are set up: others may change that. */
    public static boolean isRefused(Throwable failure) {
        return unwrapped(failure) instanceof KeeperException known && REFUSED.containsKey(known.code());
    }

    /** The failure of a request, without the wrapper of a future. */
    static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    static BackendException classify(String store, Throwable failure) {
        if (!(failure instanceof KeeperException known)) {
            return new BackendException(store + " did not answer: " + failure.getMessage(), failure);
        }
        String advice = REFUSED.get(known.code());
        if (advice != null) {
            return BackendException.refused(
                    store + " refuses this client " + place(known) + " (" + known.code() + "): " + advice, failure);
        }
        if (isMissingChroot(known)) {
            return BackendException.refused(
                    store + " has no node for the chroot of the connect string, which " + known.getPath()
                            + " would be in; make that node, or correct the connect string",
                    failure);
        }
        if (known.code() == Code.NOTREADONLY) {
            return new BackendException(store + " only reads at the moment: the server has lost its majority", failure);
        }
        return new BackendException(store + " did not answer: " + failure.getMessage(), failure);
    }

    private static String place(KeeperException failure) {
        return failure.getPath() == null ? "its request" : "access to " + failure.getPath();
    }

    /** Nothing above the path could be missing but what the connect string puts before each path. */
    private static boolean isMissingChroot(KeeperException failure) {
        String path = failure.getPath();
        return failure.code() == Code.NONODE && path != null && path.lastIndexOf('/') == 0;
    }
}
