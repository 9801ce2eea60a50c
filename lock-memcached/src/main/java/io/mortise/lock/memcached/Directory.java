// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import io.mortise.lock.LockHolder;
import java.time.Duration;
import java.util.Optional;

/** Looking at locks, and taking them from their holders. Thread-safe. */
final class Directory {
    private final Servers servers;
    private final Keys keys;

    Directory(Servers servers, Keys keys) {
        this.servers = servers;
        this.keys = keys;
    }

    /** Where the item of a lock is. */
    Slot slot(String lock) {
        String key = keys.lock(lock);
        return new Slot(servers.of(key), key);
    }

    /** Where the reason stands that was given when a lock was taken from its owner at once. */
    Slot revocation(Slot of, String owner) {
        return new Slot(of.server(), keys.revocation(owner));
    }

    Optional<LockHolder> inspect(String lock, Duration atMost) {
        try (Call call = Call.calm(atMost)) {
            return slot(lock).read(call).map(found -> found.holding()
                    .told(lock, found.contact().clock()));
        }
    }

    boolean revoke(String lock, String reason, boolean now, Duration atMost) {
        Slot slot = slot(lock);
        try (Call call = Call.calm(atMost)) {
            while (true) {
                Optional<Stored> found = slot.read(call);
                if (found.isEmpty()) {
                    return false;
                }
                Command change = now ? takeAway(slot, found.get(), reason, call) : slot.revoke(found.get(), reason);
                if (slot.isDone(change, call)) {
                    return true;
                }
            }
        }
    }

    /** The reason first: once the item is gone, the victim asks for it. */
    private Command takeAway(Slot slot, Stored found, String reason, Call call) {
        Holding holding = found.holding();
        revocation(slot, holding.owner()).leaveNote(found.contact(), reason, holding.lease(), call);
        return slot.delete(found);
    }
}
