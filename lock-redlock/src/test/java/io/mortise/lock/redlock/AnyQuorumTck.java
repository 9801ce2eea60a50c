// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendSelection;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import io.mortise.lock.tck.LockBackendTck;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** The suite for the quorum of real servers that {@link WrongQuorumsAreCaughtTest} sets, which alone runs this class. */
class AnyQuorumTck extends LockBackendTck {
    static volatile Function<List<LockBackend>, LockBackend> quorum = NaiveQuorum::new;
    static volatile List<String> servers = List.of();

    @Override
    public String store() {
        return String.join(" ", servers);
    }

    @Override
    public LockBackend open(String store) {
        return new Patient(quorum.apply(Stream.of(store.split(" "))
                .map(url -> BackendSelection.open(StoreUrl.parse(url), Set.of()))
                .toList()));
    }

    /**
     * Gives each call a minute. The suite gives it two seconds, of which a quorum gives a member half or less: on a busy machine a
     * member may not answer in that time, and then it is not known who holds, which is what the case asks.
     */
    private static final class Patient extends ForwardingBackend {
        private static final Duration TIME = Duration.ofMinutes(1);

        Patient(LockBackend inner) {
            super(inner);
        }

        @Override
        public Claim claim(ClaimRequest request, Runnable nudge) {
            return new ForwardingClaim(super.claim(request, nudge)) {
                @Override
                public boolean tryAcquire(Duration atMost) throws InterruptedException {
                    return super.tryAcquire(TIME);
                }

                @Override
                public boolean release(Duration atMost) {
                    return super.release(TIME);
                }
            };
        }

        @Override
        public List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
            return renewOneByOne(renewals, TIME);
        }
    }

    /** Longer than any stall of the machine; the case that is run does not wait for its end. */
    @Override
    public Duration lease() {
        return Duration.ofSeconds(20);
    }
}
