// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package smoke;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.spi.Feature;

/** An application that locks once in each store it is given, and prints the tokens of those that have some. */
public final class Main {
    private Main() {}

    /**
     * Locks.
     *
     * @param urls the stores
     * @throws InterruptedException never
     */
    public static void main(String[] urls) throws InterruptedException {
        for (String url : urls) {
            try (LockClient locks = LockClient.connect(url);
                    Lease lease = locks.lock("smoke").acquire()) {
                System.out.println(
                        locks.features().contains(Feature.FENCED) ? String.valueOf(lease.fencingToken()) : "no token");
            }
        }
    }
}
