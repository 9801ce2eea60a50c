// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

/**
 * An optional ability of a backend: fencing tokens, fair queuing, nudges at a release, listing, revoking, or a register. Declared
 * by {@link LockBackend#features()}; each declared feature is proved by the conformance suite, and a feature that is
 * not declared must be absent in the way stated here.
 */
public enum Feature {
    /** Every grant has a fencing token that is greater than all before. Absent: tokens are 0. */
    FENCED,
    /** Waiters are served in the order in which their first try reached the store, across clients. Absent: any order. */
    FAIR,
    /** A release nudges a waiter, so waiting does not depend on polling. Absent: waiters poll. */
    PROMPT,
    /**
     * {@link LockBackend#list} and {@link LockBackend#inspect} work. Absent: {@code list} throws
     * {@link UnsupportedOperationException}, and {@code inspect} works or throws it too.
     */
    LISTABLE,
    /** {@link LockBackend#revoke} works. Absent: it throws {@link UnsupportedOperationException}. */
    REVOCABLE,
    /**
     * {@link LockBackend#readRegister} and {@link LockBackend#writeRegister} work, and what was written survives a crash of the
     * store. Absent: both throw {@link UnsupportedOperationException}.
     */
    REGISTER
}
