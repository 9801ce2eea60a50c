// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd;

import io.mortise.lock.etcd.gateway.Gateway;
import io.mortise.lock.etcd.gateway.KeyValue;
import io.mortise.lock.etcd.gateway.Transaction;
import io.mortise.lock.etcd.gateway.Transaction.Operation;
import io.mortise.lock.etcd.queue.LockKeys;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.LockBackendProvider;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.spi.support.CallDeadline;
import io.mortise.lock.tck.servers.EtcdServer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What tests do to the keys of locks, past the backend. */
record Keys(URI member) {
    private static final LockKeys NAMES = new LockKeys(LockKeys.DEFAULT_PREFIX);
    private static final Duration AT_MOST = Duration.ofSeconds(10);

    static Keys of(EtcdServer server) {
        return new Keys(URI.create("http://" + server.host() + ":" + server.port()));
    }

    static LockBackend open(String url) {
        LockBackendProvider provider = new EtcdBackendProvider();
        return provider.open(StoreUrl.parse(url));
    }

    /** Does something to each key in the queue of a lock. */
    private interface Change {
        void apply(Gateway gateway, KeyValue key, CallDeadline deadline) throws InterruptedException;
    }

    private void change(String lock, Change change) {
        try (Gateway gateway = new Gateway(List.of(member), Optional.empty(), Optional.empty())) {
            boolean unused = CallDeadline.uninterruptibly(Gateway.STORE, AT_MOST, deadline -> {
                for (KeyValue key : gateway.read(deadline, Operation.oldest(NAMES.queue(lock), 100))
                        .replies()
                        .get(0)
                        .found()) {
                    change.apply(gateway, key, deadline);
                }
                return true;
            });
        }
    }

    void expire(String lock) {
        change(lock, (gateway, key, deadline) -> gateway.revokeLease(key.lease(), deadline));
    }

    void delete(String lock) {
        change(
                lock,
                (gateway, key, deadline) ->
                        gateway.commit(new Transaction().then(Operation.delete(key.key())), deadline));
    }

    void writeWithoutEnd(String lock) {
        try (Gateway gateway = new Gateway(List.of(member), Optional.empty(), Optional.empty())) {
            boolean unused = CallDeadline.uninterruptibly(Gateway.STORE, AT_MOST, deadline -> gateway.commit(
                            new Transaction().then(Operation.put(NAMES.queue(lock) + "half", "written", 0)), deadline)
                    .isPresent());
        }
    }
}
