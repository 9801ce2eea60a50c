// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd.admin;

import io.mortise.lock.etcd.gateway.Gateway;
import io.mortise.lock.etcd.gateway.Gateway.GrantedLease;
import io.mortise.lock.etcd.gateway.Gateway.LeaseLeft;
import io.mortise.lock.etcd.gateway.KeyValue;
import io.mortise.lock.etcd.gateway.Transaction;
import io.mortise.lock.etcd.gateway.Transaction.Operation;
import io.mortise.lock.etcd.gateway.Transaction.Outcome;
import io.mortise.lock.etcd.queue.Entry;
import io.mortise.lock.etcd.queue.LockKeys;
import io.mortise.lock.spi.support.CallDeadline;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Takes a lock from its holder. To free it when the holder's lease ends, the holder's key is moved to a lease that nobody lets begin
 * anew; to free it at once, the key is deleted, and a note is left for the holder.
 */
public record Revocation(Gateway gateway, LockKeys keys, String lock, String reason) {
    /** How long a holder may take to hear why its key is not there any more. */
    private static final long NOTE_SECONDS = 120;

    /** Whether somebody held the lock. */
    public boolean run(boolean now, Duration atMost) {
        return CallDeadline.uninterruptibly(Gateway.STORE, atMost, deadline -> {
            while (!deadline.hasPassed()) {
                List<KeyValue> first = gateway.read(deadline, Operation.oldest(keys.queue(lock), 1))
                        .replies()
                        .get(0)
                        .found();
                if (first.isEmpty() || !Entry.read(first.get(0).value()).granted()) {
                    return false;
                }
                if (now ? isDeleted(first.get(0), deadline) : isLetEnd(first.get(0), deadline)) {
                    return true;
                }
            }
            throw deadline.noAnswer(null);
        });
    }

    private boolean isDeleted(KeyValue held, CallDeadline deadline) throws InterruptedException {
        GrantedLease ofNote = gateway.grantLease(NOTE_SECONDS, deadline);
        Entry note = Entry.read(held.value()).revokedFor(reason);
        return isDone(gateway.commit(
                new Transaction()
                        .ifModifiedIn(held.key(), held.modified())
                        .then(
                                Operation.delete(held.key()),
                                Operation.put(keys.note(held.key()), note.text(), ofNote.id())),
                deadline));
    }

    private static boolean isDone(Optional<Outcome> answer) {
        return answer.isPresent() && answer.get().succeeded();
    }

    /**
     * The holder may have let its lease begin anew until the key is moved: so this first keeps the key for the whole length of the
     * lease, and looks only then how much of it is left.
     */
    private boolean isLetEnd(KeyValue held, CallDeadline deadline) throws InterruptedException {
        Entry entry = Entry.read(held.value());
        if (entry.revoked().isPresent()) {
            return true;
        }
        LeaseLeft before = gateway.leaseLeft(held.lease(), deadline);
        String revoked = entry.revokedFor(reason).text();
        Optional<Outcome> kept = move(held.key(), held.modified(), revoked, Math.max(1, before.granted()), deadline);
        if (!isDone(kept)) {
            return false;
        }
        LeaseLeft left = gateway.leaseLeft(held.lease(), deadline);
        if (left.term() == kept.get().term() && left.seconds() + 1 < before.granted()) {
            move(held.key(), kept.get().revision(), revoked, Math.max(0, left.seconds()) + 1, deadline);
        }
        return true;
    }

    private Optional<Outcome> move(String key, long modified, String value, long seconds, CallDeadline deadline)
            throws InterruptedException {
        GrantedLease lease = gateway.grantLease(seconds, deadline);
        return gateway.commit(
                new Transaction().ifModifiedIn(key, modified).then(Operation.put(key, value, lease.id())), deadline);
    }
}
