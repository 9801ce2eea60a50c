// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd.admin;

import io.mortise.lock.LockHolder;
import io.mortise.lock.etcd.gateway.Gateway;
import io.mortise.lock.etcd.gateway.Gateway.LeaseLeft;
import io.mortise.lock.etcd.gateway.KeyValue;
import io.mortise.lock.etcd.gateway.Transaction;
import io.mortise.lock.etcd.gateway.Transaction.Operation;
import io.mortise.lock.etcd.gateway.Transaction.Outcome;
import io.mortise.lock.etcd.queue.Entry;
import io.mortise.lock.etcd.queue.FencingTokens;
import io.mortise.lock.etcd.queue.LockKeys;
import io.mortise.lock.spi.support.CallDeadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Tells who holds which lock, in the order of their keys. Immutable. */
public record LockListing(Gateway gateway, LockKeys keys) {
    private static final int PAGE = 500;

    /** Who holds a lock. */
    public Optional<LockHolder> inspect(String lock, Duration atMost) {
        return CallDeadline.uninterruptibly(Gateway.STORE, atMost, deadline -> {
            Outcome look = gateway.read(deadline, Operation.oldest(keys.queue(lock), 1));
            List<KeyValue> first = look.replies().get(0).found();
            return first.isEmpty()
                    ? Optional.empty()
                    : holder(lock, first.get(0), look.replies().get(0).count(), look.serverSeconds(), deadline);
        });
    }

    /** The next holders of locks whose names begin with a prefix. */
    public List<LockHolder> list(String prefix, String after, int limit, Duration atMost) {
        return CallDeadline.uninterruptibly(
                Gateway.STORE, atMost, deadline -> list(keys.locks(prefix), after, limit, deadline));
    }

    private List<LockHolder> list(String begin, String after, int limit, CallDeadline deadline)
            throws InterruptedException {
        String end = Transaction.endOf(begin);
        String next = after.isEmpty() ? begin : Transaction.endOf(keys.queue(after));
        String from = next.compareTo(begin) > 0 ? next : begin;
        List<LockHolder> holders = new ArrayList<>();
        List<KeyValue> queue = new ArrayList<>();
        while (holders.size() < limit) {
            Outcome page = gateway.read(deadline, Operation.inOrder(from, end, PAGE));
            List<KeyValue> found = page.replies().get(0).found();
            for (KeyValue entry : found) {
                if (!queue.isEmpty() && !queueOf(entry).equals(queueOf(queue.get(0)))) {
                    add(queue, limit, holders, page.serverSeconds(), deadline);
                }
                queue.add(entry);
            }
            if (found.size() < PAGE) {
                add(queue, limit, holders, page.serverSeconds(), deadline);
                break;
            }
            from = found.get(found.size() - 1).key() + '\0';
        }
        return holders;
    }

    private static String queueOf(KeyValue entry) {
        return LockKeys.queueOf(entry.key());
    }

    /** Adds who holds the lock of a queue, and begins with another queue. */
    private void add(
            List<KeyValue> queue, int limit, List<LockHolder> holders, long serverSeconds, CallDeadline deadline)
            throws InterruptedException {
        if (!queue.isEmpty() && holders.size() < limit) {
            KeyValue first = queue.stream()
                    .min(Comparator.comparingLong(KeyValue::created))
                    .orElseThrow();
            Optional<String> lock = keys.lock(queueOf(first));
            if (lock.isPresent()) {
                holder(lock.get(), first, queue.size(), serverSeconds, deadline).ifPresent(holders::add);
            }
        }
        queue.clear();
    }

    /** Empty if the first of the queue was not told yet that it holds the lock, or its lease has ended. */
    private Optional<LockHolder> holder(
            String lock, KeyValue first, long inQueue, long serverSeconds, CallDeadline deadline)
            throws InterruptedException {
        Entry entry = Entry.read(first.value());
        if (!entry.granted()) {
            return Optional.empty();
        }
        Optional<Duration> remaining = Optional.empty();
        if (first.lease() != 0) {
            LeaseLeft left = gateway.leaseLeft(first.lease(), deadline);
            if (left.seconds() < 0) {
                return Optional.empty();
            }
            remaining = Optional.of(Duration.ofSeconds(left.seconds()));
        }
        return Optional.of(new LockHolder(
                lock,
                entry.label(),
                FencingTokens.first(first.created(), entry.base()),
                Duration.ofSeconds(Math.max(0, serverSeconds - entry.since())),
                remaining,
                OptionalInt.of((int) Math.min(Integer.MAX_VALUE, inQueue - 1)),
                entry.revoked()));
    }
}
