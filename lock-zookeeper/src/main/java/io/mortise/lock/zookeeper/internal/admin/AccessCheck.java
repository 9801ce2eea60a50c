// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.admin;

import io.mortise.lock.zookeeper.internal.node.NodePaths;
import io.mortise.lock.zookeeper.internal.session.SessionCall;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.KeeperException.NoAuthException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a client may read the root, and make nodes under it or make it. Changes nothing: the transaction that makes a
 * node has a second operation, which always fails. Stateless.
 *
 * <p>Who may read and not make nodes can list locks and take none: this is logged.
 */
public final class AccessCheck {
    private static final Logger LOG = System.getLogger(AccessCheck.class.getName());

    private static final String PROBE = "/access-check";

    private final NodePaths paths;

    public AccessCheck(NodePaths paths) {
        this.paths = paths;
    }

    /** Throws a {@link KeeperException} with the code and the path if access is refused; answers whether locks can be taken. */
    public boolean run(SessionCall call) throws KeeperException, InterruptedException {
        List<String> line = NodePaths.withAncestors(paths.locks());
        List<CompletableFuture<Stat>> there = new ArrayList<>();
        for (String each : line) {
            there.add(call.session().exists(each));
        }
        CompletableFuture<List<String>> locks = call.session().children(paths.locks());
        int found = 0;
        while (found < line.size() && isThere(there.get(found), call)) {
            found++;
        }
        boolean rootIsThere = found == line.size();
        if (rootIsThere) {
            call.await(locks);
        }
        KeeperException refusal = refusal(rootIsThere ? paths.locks() + PROBE : line.get(found), call);
        if (refusal != null && !rootIsThere) {
            throw refusal;
        }
        if (refusal != null) {
            LOG.log(
                    Level.WARNING,
                    "this client may list the locks under {0} and take none: ZooKeeper refuses it nodes there ({1})",
                    paths.root(),
                    String.valueOf(refusal.code()));
        }
        return refusal == null;
    }

    private static boolean isThere(CompletableFuture<Stat> exists, SessionCall call)
            throws KeeperException, InterruptedException {
        try {
            call.await(exists);
            return true;
        } catch (NoAuthException unreadable) {
            // A node above the root need not be readable.
            return true;
        } catch (NoNodeException missing) {
            return false;
        }
    }

    /** Why a node cannot be made that is not there; null if it can. */
    private @Nullable KeeperException refusal(String path, SessionCall call)
            throws KeeperException, InterruptedException {
        Op make = Op.create(path, new byte[0], paths.acl(), CreateMode.PERSISTENT);
        Op fail = Op.check(path + "/never", -1);
        List<OpResult> results = call.await(call.session().attempt(List.of(make, fail)));
        Code code = results.get(0) instanceof OpResult.ErrorResult error ? Code.get(error.getErr()) : Code.OK;
        return code == Code.OK || code == Code.NODEEXISTS || code == Code.RUNTIMEINCONSISTENCY
                ? null
                : KeeperException.create(code, path);
    }
}
