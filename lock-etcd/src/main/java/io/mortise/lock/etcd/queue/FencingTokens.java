// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd.queue;

import io.mortise.lock.etcd.gateway.Gateway;
import io.mortise.lock.etcd.gateway.KeyValue;
import io.mortise.lock.etcd.gateway.Transaction;
import io.mortise.lock.etcd.gateway.Transaction.Operation;
import io.mortise.lock.etcd.gateway.Transaction.Outcome;
import io.mortise.lock.etcd.gateway.Transaction.Reply;
import io.mortise.lock.spi.support.CallDeadline;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Counts the fencing tokens of a lock. The token of a claim is the revision in which its key was made, times {@link #BLOCK}, plus a
 * base. The base of all locks is that of the store: it began with the microseconds since 1970 by a member's clock, so that tokens rise,
 * too, after etcd has lost its data. A lock for which somebody asked for greater tokens has a greater base of its own, which never
 * falls. One call at a time.
 */
public final class FencingTokens {
    /** How many tokens there are between two revisions. */
    private static final int BLOCK = 64;

    /** How many operations {@link #read()} has. */
    static final int READS = 2;

    private static final int PAGE = 1000;

    /** The base of a store, as it is written, if it is known. Thread-safe: it changes only when etcd loses its data. */
    public static final class OfStore {
        private volatile @Nullable String written;
    }

    private final Gateway gateway;
    private final LockKeys keys;
    private final OfStore ofStore;
    private final String key;

    /** The base of this lock alone, as it is written; null if it is not known that there is one. */
    private @Nullable String ofLock;

    /** The tokens of a lock in a store. */
    FencingTokens(Gateway gateway, LockKeys keys, OfStore ofStore, String lock) {
        this.gateway = gateway;
        this.keys = keys;
        this.ofStore = ofStore;
        key = keys.tokenBase(lock);
    }

    /** The first token of a grant to a claim whose key was made in a revision, with a base. */
    public static long first(long created, long base) {
        return created * BLOCK + base;
    }

    /** Reads what bases there are. */
    List<Operation> read() {
        return List.of(Operation.get(keys.tokenBase()), Operation.get(key));
    }

    /** Heeds what {@link #read()} has answered. */
    void heed(List<Reply> replies) {
        ofStore.written = value(replies.get(0));
        ofLock = value(replies.get(1));
    }

    private static @Nullable String value(Reply reply) {
        return reply.found().isEmpty() ? null : reply.found().get(0).value();
    }

    /**
     * The base of the next grant.
     *
     * @param ofStore what all locks begin with, as it is written
     * @param ofLock what this lock begins with, or null
     */
    record Base(String ofStore, @Nullable String ofLock) {
        long value() {
            long store = Long.parseLong(ofStore);
            return ofLock == null ? store : Math.max(store, Long.parseLong(ofLock));
        }
    }

    /** The base as it is known; that of the store is made if there is none yet. */
    Base base(CallDeadline deadline) throws InterruptedException {
        String store = ofStore.written;
        while (store == null) {
            Outcome look = gateway.read(deadline, read().toArray(new Operation[0]));
            heed(look.replies());
            if (ofStore.written == null) {
                long first = TimeUnit.SECONDS.toMicros(look.serverSeconds()) - first(look.revision(), 0);
                write(
                        new Transaction().ifModifiedIn(keys.tokenBase(), 0),
                        Operation.put(keys.tokenBase(), String.valueOf(Math.max(0, first)), 0),
                        deadline);
            }
            store = ofStore.written;
        }
        return new Base(store, ofLock);
    }

    /** The base, after it was raised, if need be, so that a claim whose key was made in a revision gets a token above a floor. */
    Base baseAbove(long floor, long created, CallDeadline deadline) throws InterruptedException {
        long least = floor + 1 - first(created, 0);
        Base base = base(deadline);
        while (base.value() < least) {
            write(given(base), Operation.put(key, String.valueOf(least), 0), deadline);
            base = base(deadline);
        }
        return base;
    }

    /** Writes a base if the conditions hold, and reads it in any case. */
    private void write(Transaction conditions, Operation put, CallDeadline deadline) throws InterruptedException {
        gateway.commit(conditions.then(put).then(read()).otherwise(read()), deadline)
                .map(Outcome::replies)
                .ifPresent(replies -> heed(replies.subList(replies.size() - READS, replies.size())));
    }

    /** A transaction that does what it does only if this still is the base. */
    Transaction given(Base base) {
        Transaction given = new Transaction().ifValue(keys.tokenBase(), base.ofStore());
        String own = base.ofLock();
        return own == null ? given.ifModifiedIn(key, 0) : given.ifValue(key, own);
    }

    /** Adds to a grant what makes the next token greater than all that it takes. */
    void take(int count, Base base, Transaction grant) {
        if (count > BLOCK) {
            grant.then(Operation.put(key, String.valueOf(base.value() + count - BLOCK), 0));
        }
    }

    /** Adds to a transaction what makes all tokens of keys made after a revision greater than a token. */
    void raise(long token, long created, Base base, Transaction transaction) {
        long least = token + 1 - first(created + 1, 0);
        if (base.value() < least) {
            transaction.then(Operation.put(key, String.valueOf(least), 0));
        }
    }

    /** A number that no token of any lock is above that was given until now. */
    public static long highest(Gateway gateway, LockKeys keys, CallDeadline deadline) throws InterruptedException {
        String end = Transaction.endOf(keys.tokenBase());
        String from = keys.tokenBase();
        long base = 0;
        while (true) {
            Outcome page = gateway.read(deadline, Operation.inOrder(from, end, PAGE));
            List<KeyValue> found = page.replies().get(0).found();
            for (KeyValue written : found) {
                base = Math.max(base, Long.parseLong(written.value()));
            }
            if (found.size() < PAGE) {
                return base == 0 ? 0 : first(page.revision() + 1, base);
            }
            from = found.get(found.size() - 1).key() + '\0';
        }
    }
}
