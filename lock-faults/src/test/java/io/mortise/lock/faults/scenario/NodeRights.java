// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.scenario;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;

/** Changes who may use the nodes of the locks, in a session of its own. */
final class NodeRights implements AutoCloseable {
    private static final String ROOT = "/mortise";
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final ZooKeeper zooKeeper;

    NodeRights(String addresses) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        zooKeeper = new ZooKeeper(addresses, 30_000, event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        if (!connected.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            zooKeeper.close();
            throw new IllegalStateException("no ZooKeeper answers at " + addresses);
        }
        zooKeeper.addAuthInfo("digest", "operator:secret".getBytes(StandardCharsets.US_ASCII));
    }

    void withdraw() throws Exception {
        set(ROOT, Ids.CREATOR_ALL_ACL);
    }

    void giveBack() throws Exception {
        set(ROOT, Ids.OPEN_ACL_UNSAFE);
    }

    /** From above, so that nobody creates more below meanwhile. */
    private void set(String path, List<ACL> rights) throws Exception {
        try {
            zooKeeper.setACL(path, rights, -1);
            for (String child : zooKeeper.getChildren(path, false)) {
                set(path + "/" + child, rights);
            }
        } catch (NoNodeException gone) {
            // as good as set
        }
    }

    @Override
    public void close() {
        try {
            zooKeeper.close();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
