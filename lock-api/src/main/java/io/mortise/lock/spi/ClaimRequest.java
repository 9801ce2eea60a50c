// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import java.time.Duration;

/**
 * The parameters of one claim, such as the name of the lock, the owner ID, the label and the lease. Immutable.
 *
 * @param lock the name of the lock: any string, the empty one and unpaired surrogates too; compared by its UTF-16 code
 *     units
 * @param owner 128 random bits in 32 lower-case hexadecimal digits, of this claim alone. A secret: whoever knows it can
 *     release the lock
 * @param label who is asking, for people; any string
 * @param lease how long a grant lasts without renewal, within the backend's {@link LeaseBounds}
 * @param waits false for a claim that tries once and must not enter any queue in the store
 * @param tokenFloor a token of this lock must be greater than this; 0 or more, at most {@link #HIGHEST_TOKEN_FLOOR}
 * @param tokenCount how many consecutive tokens a grant takes, 1 or more; the claim reports the first of them
 */
public record ClaimRequest(
        String lock, String owner, String label, Duration lease, boolean waits, long tokenFloor, int tokenCount) {

    /** The greatest token floor, 2<sup>52</sup>: tokens stay exact in stores that count with doubles. */
    public static final long HIGHEST_TOKEN_FLOOR = 1L << 52;

    /**
     * The greatest token to which a counter can be raised, 2<sup>52</sup> + 2<sup>51</sup>: above what stores give on top of the
     * greatest floor, and far below 2<sup>53</sup>, from where on doubles skip numbers.
     */
    public static final long HIGHEST_RAISED_TOKEN = HIGHEST_TOKEN_FLOOR + (1L << 51);

    /**
     * Checks the request.
     *
     * @param lock any string
     * @param owner not checked
     * @param label any string
     * @param lease positive
     * @param waits either
     * @param tokenFloor 0 to {@link #HIGHEST_TOKEN_FLOOR}
     * @param tokenCount 1 or more
     * @throws IllegalArgumentException if one of them is not so
     */
    public ClaimRequest {
        if (lease.isNegative() || lease.isZero()) {
            throw new IllegalArgumentException("lease must be positive, not " + lease);
        }
        if (tokenFloor < 0 || tokenFloor > HIGHEST_TOKEN_FLOOR) {
            throw new IllegalArgumentException("token floor must be between 0 and 2^52, not " + tokenFloor);
        }
        if (tokenCount < 1) {
            throw new IllegalArgumentException("token count must be at least 1, not " + tokenCount);
        }
    }

    /**
     * Checks the token of a {@link Claim#raiseToken}.
     *
     * @param token 0 to {@link #HIGHEST_RAISED_TOKEN}
     * @throws IllegalArgumentException if it is not so
     */
    public static void checkRaisedToken(long token) {
        if (token < 0 || token > HIGHEST_RAISED_TOKEN) {
            throw new IllegalArgumentException("token must be between 0 and 2^52 + 2^51, not " + token);
        }
    }

    /** Leaves the owner out: it is a secret. */
    @Override
    public String toString() {
        return "ClaimRequest[lock=" + lock + ", label=" + label + ", lease=" + lease + ", waits=" + waits
                + ", tokenFloor=" + tokenFloor + ", tokenCount=" + tokenCount + "]";
    }
}
