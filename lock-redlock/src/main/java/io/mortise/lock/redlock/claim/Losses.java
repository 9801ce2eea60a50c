// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock.claim;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import io.mortise.lock.redlock.member.MemberClaim;
import io.mortise.lock.redlock.quorum.Votes;
import io.mortise.lock.spi.Answer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Why a majority refused. */
public final class Losses {
    private Losses() {}

    /** The loss that most of the refusing members tell; of equally many, the first. */
    static @Nullable Loss ofMost(List<MemberClaim> seats, Votes votes) {
        Map<LossCause, Integer> counts = new EnumMap<>(LossCause.class);
        Loss most = null;
        for (int i = 0; i < seats.size(); i++) {
            if (votes.of(i) == Answer.NO) {
                Loss told = seats.get(i).claim().loss();
                int count = counts.merge(told.cause(), 1, Integer::sum);
                if (most == null || count > counts.getOrDefault(most.cause(), 0)) {
                    most = told;
                }
            }
        }
        return most;
    }
}
