// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import java.time.Duration;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;

/** The examples of docs/backends/zookeeper.md, compiled. */
final class Snippets {
    private Snippets() {}

    static LockClient overTheApplicationsOwnClient(CuratorFramework curatorFramework) {
        ZooKeeperBackend backend = ZooKeeperBackend.of(curatorFramework);
        LockClient locks = LockClient.builder(backend).build();
        return locks;
    }

    static void guarded(ZooKeeperBackend zooKeeperBackend, Lease lease, byte[] report) throws KeeperException {
        ZooKeeperGuard guard = zooKeeperBackend.guard();
        guard.write(lease, List.of(Op.setData("/shop/report", report, -1)), Duration.ofSeconds(2));
    }
}
