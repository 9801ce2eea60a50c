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

/** Quorums as people write them, each with one mistake. */
final class WrongQuorums {
    private WrongQuorums() {}

    /** W10: one member less than a majority is enough, so two such groups may have no member in common. */
    static final class HalfIsEnough extends NaiveQuorum {
        HalfIsEnough(List<LockBackend> members) {
            super(members);
        }

        @Override
        int enough() {
            return size() / 2;
        }
    }

    /** W10: the lease begins when the last member has answered, however long that took. */
    static final class IgnoresTimeSpent extends NaiveQuorum {
        IgnoresTimeSpent(List<LockBackend> members) {
            super(members);
        }

        @Override
        boolean isInTime(long asked, Duration lease) {
            return true;
        }
    }

    /** W10: an earlier grant counts as if it were granted now. */
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

    /** A failed round releases only the claims that were granted, and not those whose members did not answer. */
    static final class ReleasesOnlyGrants extends NaiveQuorum {
        ReleasesOnlyGrants(List<LockBackend> members) {
            super(members);
        }

        @Override
        boolean isReleased(Answer answer) {
            return answer == Answer.YES;
        }
    }

    /** All rounds of a claim have the same owner at a member, so a late message of one round changes the next. */
    static final class OneOwnerForAllRounds extends NaiveQuorum {
        private record Key(int member, ClaimRequest request) {}

        private final Map<Key, Claim> claims = new ConcurrentHashMap<>();

        OneOwnerForAllRounds(List<LockBackend> members) {
            super(members);
        }

        @Override
        Claim memberClaim(int member, ClaimRequest request) {
            return claims.computeIfAbsent(new Key(member, request), key -> super.memberClaim(member, request));
        }
    }

    /** A lease is renewed if any one member knows its holder. */
    static final class RenewsByAnyMember extends NaiveQuorum {
        RenewsByAnyMember(List<LockBackend> members) {
            super(members);
        }

        @Override
        int enoughToRenew() {
            return 1;
        }
    }

    /** A renewal lasts as long as the grant did, whatever length it is told. */
    static final class RenewsToTheLengthOfTheGrant extends NaiveQuorum {
        RenewsToTheLengthOfTheGrant(List<LockBackend> members) {
            super(members);
        }

        @Override
        Duration renewedLength(ClaimRequest request, Duration lease) {
            return request.lease();
        }
    }

    /** W17: no answer counts as no. */
    static final class TreatsNoAnswerAsNo extends NaiveQuorum {
        TreatsNoAnswerAsNo(List<LockBackend> members) {
            super(members);
        }

        @Override
        public Claim claim(ClaimRequest request, Runnable nudge) {
            return new ForwardingClaim(super.claim(request, nudge)) {
                @Override
                public boolean tryAcquire(Duration atMost) throws InterruptedException {
                    try {
                        return super.tryAcquire(atMost);
                    } catch (BackendException noAnswer) {
                        return false;
                    }
                }
            };
        }
    }
}
