// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.LockHolder;
import io.mortise.lock.Ticker;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.testing.LossyBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Members in memory, each behind a network that can lose and delay messages; {@code direct} goes around it. */
final class Stores {
    static final Duration AMPLE = Duration.ofSeconds(8);
    static final Duration LEASE = Duration.ofMinutes(1);

    private final List<MemoryStore> stores = new ArrayList<>();
    private volatile List<LossyBackend> networks = List.of();

    Stores(int members) {
        this(members, Ticker.system());
    }

    /** Stores whose leases end by {@code ticker}. */
    Stores(int members, Ticker ticker) {
        for (int i = 0; i < members; i++) {
            stores.add(new MemoryStore(ticker));
        }
    }

    /** Stores of which one has a clock that is ahead of the others'. */
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

    /** A quorum of new clients of all stores, each wrapped by {@code wrapper}. */
    RedlockBackend quorum(RedlockBackendBuilder builder, UnaryOperator<LockBackend> wrapper) {
        return ours(builder, members().stream().map(wrapper).toList());
    }

    static RedlockBackend ours(RedlockBackendBuilder builder, List<LockBackend> members) {
        for (int i = 0; i < members.size(); i++) {
            builder.member("store-" + i, members.get(i));
        }
        return builder.build();
    }

    /** New clients of all stores, in their order; {@link #network} gives their networks from now on. */
    List<LockBackend> members() {
        List<LossyBackend> made = stores.stream()
                .map(store -> new LossyBackend(new MemoryBackend(store)))
                .toList();
        networks = made;
        return List.copyOf(made);
    }

    LossyBackend network(int index) {
        return networks.get(index);
    }

    MemoryStore store(int index) {
        return stores.get(index);
    }

    /** A client of one member, around the network. */
    LockBackend direct(int index) {
        return new MemoryBackend(stores.get(index));
    }

    /** A claim at one member, around the network. */
    Claim direct(int index, String lock) {
        return claim(direct(index), lock);
    }

    static Claim claim(LockBackend backend, String lock) {
        return backend.claim(request(lock, LEASE), () -> {});
    }

    /** A claim of a quorum that all its members have granted. */
    Claim heldByAll(RedlockBackend quorum, String lock) throws InterruptedException {
        Claim claim = claim(quorum, lock);
        assertThat(claim.tryAcquire(AMPLE)).isTrue();
        await("all members have it")
                .until(() -> IntStream.range(0, stores.size()).allMatch(member -> isHeld(member, lock)));
        return claim;
    }

    static String owner() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    static ClaimRequest request(String lock, Duration lease) {
        return new ClaimRequest(lock, owner(), "test", lease, false, 0, 1);
    }

    boolean isHeld(int index, String lock) {
        return !leaseLeft(index, lock).isZero();
    }

    /** How long the lease at a member still lasts; zero if nobody holds the lock there. */
    Duration leaseLeft(int index, String lock) {
        return direct(index).inspect(lock, AMPLE).flatMap(LockHolder::remaining).orElse(Duration.ZERO);
    }

    boolean isFree(int index, String lock) throws InterruptedException {
        Claim claim = direct(index, lock);
        boolean free = claim.tryAcquire(AMPLE);
        claim.release(AMPLE);
        return free;
    }
}
