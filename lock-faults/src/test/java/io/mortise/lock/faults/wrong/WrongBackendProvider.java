// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.wrong;

import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendSelection;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.LockBackendProvider;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.spi.support.ForwardingBackend;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Opens {@code wrong:MISTAKE:FILE}: a SQLite file, used with a {@link Mistake}. */
public final class WrongBackendProvider implements LockBackendProvider {
    /** For the service loader. */
    public WrongBackendProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("wrong");
    }

    @Override
    public LockBackend open(StoreUrl url) {
        String[] parts = url.path().split(":", 2);
        Mistake mistake = Mistake.valueOf(parts[0]);
        LockBackend right = BackendSelection.open(StoreUrl.parse("jdbc:sqlite:" + parts[1]), Set.of());
        return new ForwardingBackend(right) {
            @Override
            public Claim claim(ClaimRequest request, Runnable nudge) {
                return mistake.over(super.claim(mistake.asked(request), nudge));
            }

            @Override
            public List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
                return renewOneByOne(renewals, atMost);
            }
        };
    }
}
