// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration.register;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;

/** Locks that the migration takes for itself in one store, beside those of the fleet. */
public final class OwnLock {
    private static final SecureRandom RANDOM = new SecureRandom();

    private OwnLock() {}

    /** 128 random bits, as owners have them. */
    public static String random() {
        byte[] bits = new byte[16];
        RANDOM.nextBytes(bits);
        return HexFormat.of().formatHex(bits);
    }

    /** A claim of an owner of its own, for the lease or what the store has that is next to it. */
    public static Claim claim(LockBackend store, String name, String label, Duration lease) {
        return store.claim(
                new ClaimRequest(name, random(), label, within(store.leaseBounds(), lease), false, 0, 1), () -> {});
    }

    static Duration within(LeaseBounds bounds, Duration lease) {
        if (lease.compareTo(bounds.shortest()) < 0) {
            return bounds.shortest();
        }
        return lease.compareTo(bounds.longest()) > 0 ? bounds.longest() : lease;
    }

    /** Releases a lock that nobody's work needs: if that is not answered, it ends with its lease. */
    public static void giveBack(Claim claim, Duration atMost) {
        try {
            boolean unused = claim.release(atMost);
        } catch (BackendException unanswered) {
            // It ends with its lease.
        }
    }
}
