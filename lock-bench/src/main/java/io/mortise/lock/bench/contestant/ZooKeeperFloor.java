// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench.contestant;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/** An ephemeral sequential node, a look at its siblings, a watch on the one before it, and a deletion. */
public final class ZooKeeperFloor implements Contestant {
    private static final int SESSION_MILLIS = 30_000;

    private final ZooKeeper zookeeper;
    private final Set<String> made = ConcurrentHashMap.newKeySet();

    public ZooKeeperFloor(String connectString) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        zookeeper = new ZooKeeper(connectString, SESSION_MILLIS, event -> connected.countDown());
        connected.await();
    }

    @Override
    public Held acquire(String lock) throws Exception {
        String parent = "/" + lock;
        if (!made.contains(lock)) {
            try {
                zookeeper.create(parent, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            } catch (KeeperException.NodeExistsException another) {
                // It is there, whoever made it.
            }
            made.add(lock);
        }
        String node =
                zookeeper.create(parent + "/n-", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL);
        String name = node.substring(parent.length() + 1);
        while (true) {
            List<String> siblings = new ArrayList<>(zookeeper.getChildren(parent, false));
            Collections.sort(siblings);
            int place = siblings.indexOf(name);
            if (place == 0) {
                return () -> zookeeper.delete(node, -1);
            }
            CountDownLatch gone = new CountDownLatch(1);
            if (zookeeper.exists(parent + "/" + siblings.get(place - 1), event -> gone.countDown()) != null) {
                gone.await();
            }
        }
    }

    @Override
    public void close() throws InterruptedException {
        zookeeper.close();
    }
}
