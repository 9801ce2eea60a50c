// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd.gateway;

/** A user of etcd and the password. */
public record Credentials(String user, String password) {
    /** Leaves the password out. */
    @Override
    public String toString() {
        return "Credentials[user=" + user + "]";
    }
}
