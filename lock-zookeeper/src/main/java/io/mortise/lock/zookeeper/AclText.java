// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper;

import io.mortise.lock.LockConfigurationException;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;

/**
 * Parses access control lists in URLs: {@code open}, {@code creator}, or {@code scheme:id:cdrwa,…} as {@code zkCli}
 * reads them.
 */
final class AclText {
    static final String OPEN = "open";
    static final String CREATOR = "creator";

    private AclText() {}

    /**
     * Reads an access list.
     *
     * @throws LockConfigurationException if it is none
     */
    static List<ACL> parse(String text, boolean hasUser) {
        if (text.equals(OPEN)) {
            return Ids.OPEN_ACL_UNSAFE;
        }
        if (text.equals(CREATOR)) {
            if (!hasUser) {
                throw new LockConfigurationException("acl=creator needs a creator: write zookeeper://user:password@…");
            }
            return Ids.CREATOR_ALL_ACL;
        }
        List<ACL> list = new ArrayList<>();
        for (String entry : text.split(",")) {
            int scheme = entry.indexOf(':');
            int permissions = entry.lastIndexOf(':');
            if (scheme <= 0 || permissions <= scheme || permissions == entry.length() - 1) {
                throw wrong(text);
            }
            Id id = new Id(entry.substring(0, scheme), entry.substring(scheme + 1, permissions));
            list.add(new ACL(permissions(entry.substring(permissions + 1), text), id));
        }
        return List.copyOf(list);
    }

    private static int permissions(String letters, String text) {
        int permissions = 0;
        for (int i = 0; i < letters.length(); i++) {
            permissions |= switch (letters.charAt(i)) {
                case 'c' -> Perms.CREATE;
                case 'd' -> Perms.DELETE;
                case 'r' -> Perms.READ;
                case 'w' -> Perms.WRITE;
                case 'a' -> Perms.ADMIN;
                default -> throw wrong(text);
            };
        }
        return permissions;
    }

    private static LockConfigurationException wrong(String text) {
        return new LockConfigurationException(
                "acl is open, creator, or a list such as world:anyone:r,auth::cdrwa; not '" + text + "'");
    }
}
