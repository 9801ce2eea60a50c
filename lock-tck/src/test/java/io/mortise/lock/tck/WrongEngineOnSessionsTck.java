// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.support.ForwardingBackend;
import java.time.Duration;

/** The same on a store that says of itself that sessions end its locks. Run by {@link WrongEnginesAreCaughtTest} only. */
class WrongEngineOnSessionsTck extends WrongEngineTck {
    @Override
    public LockBackend open(String store) {
        return new ForwardingBackend(super.open(store)) {
            @Override
            public LeaseBounds leaseBounds() {
                LeaseBounds inner = super.leaseBounds();
                return new LeaseBounds(inner.shortest(), inner.longest(), Duration.ofSeconds(1));
            }
        };
    }
}
