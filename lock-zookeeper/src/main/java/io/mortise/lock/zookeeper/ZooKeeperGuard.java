// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import io.mortise.lock.Lease;
import io.mortise.lock.LockLostException;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.support.CallDeadline;
import io.mortise.lock.zookeeper.internal.claim.OpenClaims;
import io.mortise.lock.zookeeper.internal.node.NodePaths;
import io.mortise.lock.zookeeper.internal.session.CuratorSessions;
import io.mortise.lock.zookeeper.internal.session.ZooKeeperFailures;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;

/**
 * Writes to the same ensemble only while a lease holds: one transaction has the writes and the check that the lock's
 * node still exists. With this guard, a writer needs no comparison of fencing tokens. Thread-safe.
 *
 * <p>Holders of one client that hand the lock over to each other without asking the ensemble share a node. The guard tells
 * them apart by their tokens: once one of them has written, it refuses those before it.
 */
public final class ZooKeeperGuard {
    private final NodePaths paths;
    private final OpenClaims claims;

    ZooKeeperGuard(NodePaths paths, OpenClaims claims) {
        this.paths = paths;
        this.claims = claims;
    }

    /**
     * Makes all writes or none. Blocks until the ensemble has answered, at most {@code atMost}; ignores interrupts. The request
     * is sent once and never repeated.
     *
     * @param lease of a client with this guard's backend
     * @param writes creates, deletes, changes and checks of the application's nodes, with whole paths
     * @param atMost how long it may take, positive
     * @return what each write did, in their order
     * @throws LockLostException if the lease does not hold any more; nothing was written
     * @throws LockStoreException if the ensemble did not answer, or the connection broke: all writes were made or none
     * @throws KeeperException if a write is not possible, such as a change of a node that is not there; nothing was written
     */
    public List<OpResult> write(Lease lease, List<Op> writes, Duration atMost) throws KeeperException {
        CompletableFuture<List<OpResult>> sent = Optional.ofNullable(claims.grantOf(paths.queue(lease.lockName())))
                .filter(unused -> lease.isHeld())
                .flatMap(held -> held.write(lease.fencingToken(), writes))
                .orElseThrow(() -> lost(lease));
        List<OpResult> results = await(sent, lease, atMost);
        for (int i = 0; i < results.size(); i++) {
            if (results.get(i) instanceof OpResult.ErrorResult error && error.getErr() != Code.OK.intValue()) {
                if (i == 0) {
                    throw lost(lease);
                }
                throw KeeperException.create(
                        Code.get(error.getErr()), writes.get(i - 1).getPath());
            }
        }
        return List.copyOf(results.subList(1, results.size()));
    }

    private static List<OpResult> await(CompletableFuture<List<OpResult>> sent, Lease lease, Duration atMost) {
        try {
            return CallDeadline.uninterruptibly(
                    CuratorSessions.STORE, atMost, deadline -> deadline.await(sent, ZooKeeperFailures.CLASSIFIER));
        } catch (BackendException unanswered) {
            throw new LockStoreException(
                    lease.lockName(),
                    "ZooKeeper did not say whether a write under lock '" + lease.lockName()
                            + "' was made; read what it was to change",
                    unanswered);
        }
    }

    private static LockLostException lost(Lease lease) {
        return new LockLostException(
                lease.lockName(), new Loss(LossCause.EVICTED_OR_DELETED, "the node of this lock is gone"));
    }
}
