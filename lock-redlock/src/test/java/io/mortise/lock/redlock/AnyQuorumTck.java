// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import io.mortise.lock.spi.BackendSelection;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.tck.LockBackendTck;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** The suite for whatever quorum is the current one, of real servers. Run by {@link WrongQuorumsAreCaughtTest} only. */
class AnyQuorumTck extends LockBackendTck {
    static volatile Function<List<LockBackend>, LockBackend> quorum = NaiveQuorum::new;
    static volatile List<String> servers = List.of();

    @Override
    protected String store() {
        return String.join(" ", servers);
    }

    @Override
    protected LockBackend open(String store) {
        return quorum.apply(
                Stream.of(store.split(" ")).map(AnyQuorumTck::connected).toList());
    }

    /** Has asked its first question, which takes the longest, before anybody has to answer in time. */
    private static LockBackend connected(String url) {
        LockBackend member = BackendSelection.open(StoreUrl.parse(url), Set.of());
        member.inspect("warm-up", Duration.ofMinutes(1));
        return member;
    }

    /** No case that is run waits for its end; no stall of the machine should come near it. */
    @Override
    protected Duration lease() {
        return Duration.ofSeconds(20);
    }
}
