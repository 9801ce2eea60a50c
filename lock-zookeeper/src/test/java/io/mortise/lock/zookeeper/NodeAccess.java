// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import static org.awaitility.Awaitility.await;

import io.mortise.lock.zookeeper.internal.node.LockPath;
import io.mortise.lock.zookeeper.internal.node.NodeNames;
import io.mortise.lock.zookeeper.internal.node.NodePaths;
import io.mortise.lock.zookeeper.internal.node.QueueOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;

/** Reads and changes the nodes of the backend in a session of its own, past the backend. */
final class NodeAccess implements AutoCloseable {
    private static final long SOON = TimeUnit.SECONDS.toNanos(2);

    /** Something to do with the nodes. */
    interface Action {
        void on(NodeAccess nodes) throws Exception;
    }

    private static final NodePaths PATHS = new NodePaths(ZooKeeperBackendBuilder.DEFAULT_ROOT, List.of());

    private static final byte[] OPERATOR = "operator:secret".getBytes(StandardCharsets.US_ASCII);

    private final ZooKeeper zooKeeper;

    NodeAccess(String connectString) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        zooKeeper = new ZooKeeper(connectString, 30_000, event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        connected.await();
    }

    static void use(String connectString, Action action) {
        try (NodeAccess nodes = new NodeAccess(connectString)) {
            action.on(nodes);
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    /**
     * Waits until a majority agrees on writes quickly. Servers that have just started may report that they serve before they
     * do, or take seconds for the first request of each kind.
     */
    static void awaitWrites(String connectString) {
        await().atMost(Duration.ofMinutes(1)).ignoreExceptions().until(() -> {
            try (NodeAccess nodes = new NodeAccess(connectString)) {
                long began = System.nanoTime();
                for (int i = 0; i < 5; i++) {
                    String node = nodes.zooKeeper.create(
                            "/write-", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL);
                    nodes.zooKeeper.delete(node, -1);
                }
                return System.nanoTime() - began < SOON;
            }
        });
    }

    static String queue(String lock) {
        return PATHS.queue(lock);
    }

    /** Lets the server catch up with its leader. */
    void sync(String lock) {
        try {
            zooKeeper.sync(queue(lock));
        } catch (KeeperException | InterruptedException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** The nodes of a lock's queue in order, whole paths. */
    List<String> line(String lock) throws Exception {
        sync(lock);
        try {
            return QueueOrder.inOrder(zooKeeper.getChildren(queue(lock), false)).stream()
                    .map(name -> queue(lock) + "/" + name)
                    .toList();
        } catch (NoNodeException nobody) {
            return List.of();
        }
    }

    /** Deletes the holder's node. */
    void deleteFirst(String lock) throws Exception {
        List<String> line = line(lock);
        if (!line.isEmpty()) {
            zooKeeper.delete(line.get(0), -1);
        }
    }

    /** Deletes a queue and all nodes in it. */
    void deleteAll(String lock) throws Exception {
        for (String node : line(lock)) {
            zooKeeper.delete(node, -1);
        }
        try {
            zooKeeper.delete(queue(lock), -1);
        } catch (NoNodeException reaped) {
            // as wanted
        }
    }

    /** Keeps the server from removing a queue while it is empty, by a child that is not ours. */
    void keep(String lock) throws Exception {
        zooKeeper.create(queue(lock) + "/stays", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    }

    /** Makes a queue with a node that no session ends. */
    void createPersistentNode(String lock) throws Exception {
        LockPath path = LockPath.of(lock);
        for (String above : NodePaths.withAncestors(PATHS.shard(path.shard()))) {
            try {
                zooKeeper.create(above, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            } catch (NodeExistsException already) {
                // as wanted
            }
        }
        zooKeeper.create(queue(lock), new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.CONTAINER);
        String node = queue(lock) + "/" + new NodeNames("somebody").next();
        zooKeeper.create(node, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT_SEQUENTIAL);
    }

    /** Takes all nodes of the backend from whoever is not an operator. */
    void keepForOperators() throws Exception {
        zooKeeper.addAuthInfo("digest", OPERATOR);
        setAccess(PATHS.root(), Ids.CREATOR_ALL_ACL);
    }

    /** Ends {@link #keepForOperators}. */
    void openToAll() throws Exception {
        zooKeeper.addAuthInfo("digest", OPERATOR);
        setAccess(PATHS.root(), Ids.OPEN_ACL_UNSAFE);
    }

    /** Above before below when it is taken, so that nobody creates more meanwhile; nodes may go at any time. */
    private void setAccess(String path, List<ACL> access) throws Exception {
        try {
            zooKeeper.setACL(path, access, -1);
            for (String child : zooKeeper.getChildren(path, false)) {
                setAccess(path.equals("/") ? "/" + child : path + "/" + child, access);
            }
        } catch (NoNodeException gone) {
            // as good as set
        }
    }

    ZooKeeper zooKeeper() {
        return zooKeeper;
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
