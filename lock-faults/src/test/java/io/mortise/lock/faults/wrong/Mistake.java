// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.wrong;

import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.support.ForwardingClaim;
import java.time.Duration;

/** A mistake, made with a right lock. */
public enum Mistake {
    /** Lets those in who have asked three times. */
    IMPATIENT("two holders") {
        @Override
        Claim over(Claim right) {
            return new ForwardingClaim(right) {
                private int refusals;

                @Override
                public boolean tryAcquire(Duration atMost) throws InterruptedException {
                    return super.tryAcquire(atMost) || ++refusals > 2;
                }
            };
        }
    },
    /** The store is asked for leases that are shorter than what holders rely on. */
    SHORT_LEASES("two holders") {
        @Override
        ClaimRequest asked(ClaimRequest wanted) {
            return new ClaimRequest(
                    wanted.lock(),
                    wanted.owner(),
                    wanted.label(),
                    Duration.ofMillis(30),
                    wanted.waits(),
                    wanted.tokenFloor(),
                    wanted.tokenCount());
        }
    },
    /** All holders have the same token. */
    ONE_TOKEN("is not above") {
        @Override
        Claim over(Claim right) {
            return new ForwardingClaim(right) {
                @Override
                public long fencingToken() {
                    return 1;
                }
            };
        }
    },
    /** Says that it has released, and keeps the lock for an hour. */
    FORGETS_TO_RELEASE("was not free within") {
        @Override
        Claim over(Claim right) {
            return new ForwardingClaim(right) {
                @Override
                public boolean release(Duration atMost) {
                    return super.renew(Duration.ofHours(1), atMost);
                }
            };
        }
    };

    private final String caughtBy;

    Mistake(String caughtBy) {
        this.caughtBy = caughtBy;
    }

    /** What a violation says that names it. */
    public String caughtBy() {
        return caughtBy;
    }

    ClaimRequest asked(ClaimRequest wanted) {
        return wanted;
    }

    Claim over(Claim right) {
        return right;
    }
}
