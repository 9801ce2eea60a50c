// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions.guide;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import java.util.function.Function;

/** An application that is a bundle of OSGi. */
public final class BundledShop implements Function<String, Long> {
    @Override
    public Long apply(String url) {
        try (LockClient locks = LockClient.connect(url);
                Lease lease = locks.lock("orders/42").tryAcquire().orElseThrow()) {
            return lease.fencingToken();
        }
    }
}
