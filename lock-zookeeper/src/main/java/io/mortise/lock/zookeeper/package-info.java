// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Locks in a ZooKeeper ensemble. {@link io.mortise.lock.zookeeper.ZooKeeperBackend} over a {@code CuratorFramework} of the
 * application, or a {@code zookeeper:} URL: see {@link io.mortise.lock.zookeeper.ZooKeeperBackendProvider}. {@link
 * io.mortise.lock.zookeeper.ZooKeeperGuard} writes an application's nodes only while a lease holds.
 *
 * <p>The public types follow semantic versioning; everything else may change at any time.
 */
@NullMarked
package io.mortise.lock.zookeeper;

import org.jspecify.annotations.NullMarked;
