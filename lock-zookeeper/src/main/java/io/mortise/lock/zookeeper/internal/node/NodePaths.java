// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.node;

import io.mortise.lock.spi.RegisterEntry;
import java.util.ArrayList;
import java.util.List;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * Makes the paths of all nodes under a root: {@code ROOT/locks/SHARD/SEGMENT/OWNER-SEQUENCE},
 * {@code ROOT/token-base} and {@code ROOT/register/NAME}. The queues, at SEGMENT, are container nodes, which the ensemble removes some time after
 * their last child. Every node that is made has the same access list. Immutable.
 */
public record NodePaths(String root, List<ACL> acl) {
    /** A root inside a Curator client's namespace. */
    public static NodePaths of(String root, List<ACL> acl, @Nullable String namespace) {
        return new NodePaths(
                ZKPaths.fixForNamespace(namespace == null || namespace.isEmpty() ? null : namespace, root), acl);
    }

    public String locks() {
        return root + "/locks";
    }

    public String shard(String shard) {
        return locks() + "/" + shard;
    }

    public String queue(String lock) {
        LockPath path = LockPath.of(lock);
        return shard(path.shard()) + "/" + path.segment();
    }

    /** The shard of a queue. */
    public static String shardOf(String queue) {
        return queue.substring(0, queue.lastIndexOf('/'));
    }

    public String register() {
        return root + "/register";
    }

    public String registered(String name) {
        return register() + "/" + RegisterEntry.checkName(name);
    }

    public String tokenBase() {
        return root + "/token-base";
    }

    /** A path and all above it, from the top. */
    public static List<String> withAncestors(String path) {
        List<String> paths = new ArrayList<>();
        for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
            paths.add(path.substring(0, slash));
        }
        paths.add(path);
        return paths;
    }
}
