// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.SafetyLevel;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/** W8, a wrong lock: each waiter watches the whole queue, so every release wakes all waiters. */
final class HerdBackend implements LockBackend {
    private final NodeAccess nodes;

    HerdBackend(String connectString) throws Exception {
        nodes = new NodeAccess(connectString);
    }

    @Override
    public Claim claim(ClaimRequest request, Runnable nudge) {
        return new HerdClaim(nodes.zooKeeper(), "/herd-" + request.lock(), nudge);
    }

    @Override
    public Set<Feature> features() {
        return Set.of(Feature.FAIR, Feature.PROMPT);
    }

    @Override
    public SafetyLevel safetyLevel() {
        return SafetyLevel.CONSENSUS;
    }

    @Override
    public void close() {
        nodes.close();
    }

    private static final class HerdClaim implements Claim {
        private final ZooKeeper zooKeeper;
        private final String queue;
        private final Runnable nudge;
        private @Nullable String mine;

        private HerdClaim(ZooKeeper zooKeeper, String queue, Runnable nudge) {
            this.zooKeeper = zooKeeper;
            this.queue = queue;
            this.nudge = nudge;
        }

        @Override
        public boolean tryAcquire(Duration atMost) throws InterruptedException {
            try {
                if (mine == null) {
                    makeQueue();
                    mine = zooKeeper.create(
                            queue + "/", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL);
                }
                List<String> line = zooKeeper.getChildren(queue, changed -> nudge.run());
                return mine.endsWith(Collections.min(line));
            } catch (KeeperException failure) {
                throw new BackendException("no answer", failure);
            }
        }

        @Override
        public boolean renew(Duration lease, Duration atMost) {
            return mine != null;
        }

        @Override
        public boolean release(Duration atMost) {
            try {
                if (mine != null) {
                    zooKeeper.delete(mine, -1);
                }
                return mine != null;
            } catch (NoNodeException gone) {
                return false;
            } catch (KeeperException failure) {
                throw new BackendException("no answer", failure);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new BackendException("interrupted", interrupted);
            } finally {
                mine = null;
            }
        }

        private void makeQueue() throws KeeperException, InterruptedException {
            try {
                zooKeeper.create(queue, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.CONTAINER);
            } catch (NodeExistsException already) {
                // as wanted
            }
        }
    }
}
