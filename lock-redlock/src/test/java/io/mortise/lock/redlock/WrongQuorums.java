// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Quorums as people write them, each right but for one mistake. */
final class WrongQuorums {
    private WrongQuorums() {}

    /** W10: one less than a majority is enough, and two such groups need have nobody in common. */
    static final class HalfIsEnough extends NaiveQuorum {
        HalfIsEnough(List<LockBackend> members) {
            super(members);
        }

        @Override
        int enough() {
            return size() / 2;
        }
    }

    /** W10: however long the members took to answer, the lease begins when the last one has. */
    static final class CountsNoTime extends NaiveQuorum {
        CountsNoTime(List<LockBackend> members) {
            super(members);
        }

        @Override
        boolean isInTime(long asked, Duration lease) {
            return true;
        }
    }

    /** W10: what it was granted before counts as if it were granted now. */
    static final class CountsOldGrantsAsNew extends NaiveQuorum {
        CountsOldGrantsAsNew(List<LockBackend> members) {
            super(members);
        }

        @Override
        public Claim claim(ClaimRequest request, Runnable nudge) {
            return new ForwardingClaim(super.claim(request, nudge)) {
                private boolean granted;

                @Override
                public boolean tryAcquire(Duration atMost) throws InterruptedException {
                    granted = granted || super.tryAcquire(atMost);
                    return granted;
                }
            };
        }
    }

    /** W10: a failed round leaves its minority locked. */
    static final class KeepsItsMinority extends NaiveQuorum {
        KeepsItsMinority(List<LockBackend> members) {
            super(members);
        }

        @Override
        boolean isReleased(Answer answer) {
            return false;
        }
    }

    /** A failed round releases those that granted: one that did not answer has nothing to be released, it seems. */
    static final class ForgetsTheSilent extends NaiveQuorum {
        ForgetsTheSilent(List<LockBackend> members) {
            super(members);
        }

        @Override
        boolean isReleased(Answer answer) {
            return answer == Answer.YES;
        }
    }

    /** All rounds of a claim ask with one owner at each member: what one round has sent hits the next. */
    static final class OneOwnerForAllRounds extends NaiveQuorum {
        private record Place(int member, ClaimRequest request) {}

        private final Map<Place, Claim> seats = new ConcurrentHashMap<>();

        OneOwnerForAllRounds(List<LockBackend> members) {
            super(members);
        }

        @Override
        Claim seat(int member, ClaimRequest request) {
            return seats.computeIfAbsent(new Place(member, request), place -> super.seat(member, request));
        }
    }

    /** A lease goes on while any member knows its holder. */
    static final class RenewsWhereItIsLeft extends NaiveQuorum {
        RenewsWhereItIsLeft(List<LockBackend> members) {
            super(members);
        }

        @Override
        int enoughToRenew() {
            return 1;
        }
    }

    /** W17: who does not answer has said no. */
    static final class TakesSilenceForNo extends NaiveQuorum {
        TakesSilenceForNo(List<LockBackend> members) {
            super(members);
        }

        @Override
        public Claim claim(ClaimRequest request, Runnable nudge) {
            return new ForwardingClaim(super.claim(request, nudge)) {
                @Override
                public boolean tryAcquire(Duration atMost) throws InterruptedException {
                    try {
                        return super.tryAcquire(atMost);
                    } catch (BackendException silent) {
                        return false;
                    }
                }
            };
        }
    }
}
