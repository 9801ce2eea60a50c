// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions.guide;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;

public final class FirstLock {
    public static void main(String[] arguments) throws Exception {
        try (LockClient locks = LockClient.connect(arguments[0])) {
            DistributedLock lock = locks.lock("orders/42");
            try (Lease lease = lock.acquire()) {
                System.out.println("I have the lock. My token is " + lease.fencingToken() + ". Press Enter.");
                System.in.read();
            }
        }
    }
}
