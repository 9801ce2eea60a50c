// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import io.mortise.lock.spi.LockBackend;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** The rules for the quorum that {@link WrongQuorumsAreCaughtTest} sets, which alone runs this class. */
class AnyQuorumCases implements QuorumCases {
    static volatile Function<List<LockBackend>, LockBackend> quorum = NaiveQuorum::new;

    @Override
    public LockBackend quorum(List<LockBackend> members) {
        return quorum.apply(members);
    }

    /** Short, because a naive quorum has released everything when it answers. */
    @Override
    public Duration patience() {
        return Duration.ofMillis(500);
    }
}
