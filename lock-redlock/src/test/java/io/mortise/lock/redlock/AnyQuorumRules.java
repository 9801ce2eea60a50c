// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import io.mortise.lock.spi.LockBackend;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** The rules for whatever quorum is the current one. Run by {@link WrongQuorumsAreCaughtTest} only. */
class AnyQuorumRules implements QuorumRules {
    static volatile Function<List<LockBackend>, LockBackend> quorum = NaiveQuorum::new;

    @Override
    public LockBackend quorum(List<LockBackend> members) {
        return quorum.apply(members);
    }

    /** A naive one has done everything when it answers, and is not waited for. */
    @Override
    public Duration patience() {
        return Duration.ofMillis(500);
    }
}
