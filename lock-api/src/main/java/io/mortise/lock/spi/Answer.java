// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import java.time.Duration;

/** A store's answer to one claim of a batch. */
public enum Answer {
    /** The claim holds, its lease is full again. */
    YES,
    /** The claim does not hold any more: a known fact. */
    NO,
    /** The store did not answer for this claim: it may or may not hold. */
    UNKNOWN;

    /** Renews one claim; whatever it throws means that nobody knows. */
    static Answer of(Claim claim, Duration atMost) {
        try {
            return claim.renew(atMost) ? YES : NO;
        } catch (RuntimeException unanswered) {
            return UNKNOWN;
        }
    }
}
