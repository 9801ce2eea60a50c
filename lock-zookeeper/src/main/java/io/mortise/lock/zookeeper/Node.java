// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

/**
 * A claim's node in the queue. Immutable.
 *
 * @param path the whole path
 * @param session that it was made in, and ends with
 * @param czxid the zxid of its creation, 0 if it is not known
 * @param version of its data, as this client left it
 */
record Node(String path, Session session, long czxid, int version) {
    String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    Node bornAt(long zxid) {
        return new Node(path, session, zxid, version);
    }

    Node written(int newVersion) {
        return new Node(path, session, czxid, newVersion);
    }
}
