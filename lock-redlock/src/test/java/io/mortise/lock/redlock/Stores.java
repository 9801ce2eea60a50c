// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import io.mortise.lock.Ticker;
import io.mortise.lock.memory.LossyBackend;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Members in memory, each behind a network that can be made bad, and a way past it. */
final class Stores {
    static final Duration AMPLE = Duration.ofSeconds(8);
    static final Duration LEASE = Duration.ofMinutes(1);

    private final List<MemoryStore> stores = new ArrayList<>();
    private final List<LossyBackend> networks = new ArrayList<>();

    Stores(int members) {
        for (int i = 0; i < members; i++) {
            stores.add(new MemoryStore(Ticker.system()));
        }
    }

    /** The clock of one store is so much ahead of the others'. */
    static Stores withOneAhead(int members, int index, Duration ahead) {
        Stores stores = new Stores(members);
        stores.stores.set(index, new MemoryStore(new Ahead(Ticker.system(), ahead)));
        return stores;
    }

    private record Ahead(Ticker ticker, Duration ahead) implements Ticker {
        @Override
        public long nanos() {
            return ticker.nanos();
        }

        @Override
        public long wallMillis() {
            return ticker.wallMillis() + ahead.toMillis();
        }

        @Override
        public void parkUntil(Object blocker, long until) {
            ticker.parkUntil(blocker, until);
        }
    }

    RedlockBackend quorum() {
        return quorum(RedlockBackend.builder().memberTimeout(Duration.ofSeconds(1)), backend -> backend);
    }

    /** The networks of the last one made are those that {@link #network} gives. */
    RedlockBackend quorum(RedlockBackendBuilder builder, UnaryOperator<LockBackend> wrapper) {
        networks.clear();
        for (int i = 0; i < stores.size(); i++) {
            LossyBackend network = new LossyBackend(new MemoryBackend(stores.get(i)));
            networks.add(network);
            builder.member("store-" + i, wrapper.apply(network));
        }
        return builder.build();
    }

    LossyBackend network(int index) {
        return networks.get(index);
    }

    MemoryStore store(int index) {
        return stores.get(index);
    }

    /** A backend of one member alone. */
    LockBackend direct(int index) {
        return new MemoryBackend(stores.get(index));
    }

    /** A claim at one member alone. */
    Claim direct(int index, String lock) {
        return direct(index).claim(request(lock, LEASE), () -> {});
    }

    static Claim claim(LockBackend backend, String lock) {
        return backend.claim(request(lock, LEASE), () -> {});
    }

    static ClaimRequest request(String lock, Duration lease) {
        return new ClaimRequest(lock, Owners.random(), "test", lease, false, 0, 1);
    }

    boolean isHeld(int index, String lock) {
        return new MemoryBackend(stores.get(index)).inspect(lock, AMPLE).isPresent();
    }

    boolean isFree(int index, String lock) throws InterruptedException {
        Claim claim = direct(index, lock);
        boolean free = claim.tryAcquire(AMPLE);
        claim.release(AMPLE);
        return free;
    }
}
