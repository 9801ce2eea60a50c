// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.session;

/**
 * A claim's node in the queue. Immutable.
 *
 * @param path the whole path
 * @param session that it was made in, and ends with
 * @param czxid the zxid of its creation, 0 if it is not known
 * @param version of its data, as this client left it
 */
public record EphemeralNode(String path, Session session, long czxid, int version) {
    public String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    public EphemeralNode bornAt(long zxid) {
        return new EphemeralNode(path, session, zxid, version);
    }

    public EphemeralNode written(int newVersion) {
        return new EphemeralNode(path, session, czxid, newVersion);
    }
}
