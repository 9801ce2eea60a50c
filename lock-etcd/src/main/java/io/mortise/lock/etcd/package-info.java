// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Locks in etcd, a queue of keys for each: {@link io.mortise.lock.etcd.EtcdBackend}, or an {@code etcd:} URL. It speaks to etcd's HTTP
 * gateway by the JDK's own client.
 */
@NullMarked
package io.mortise.lock.etcd;

import org.jspecify.annotations.NullMarked;
