// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import java.util.Optional;

/**
 * Remembers why the last renewal or release of a claim was refused, for {@link io.mortise.lock.spi.Claim#loss()}.
 * Thread-safe.
 */
public final class RememberedLoss {
    private static final Loss UNKNOWN =
            new Loss(LossCause.EVICTED_OR_DELETED, "the store does not know this claim any more");

    private volatile Loss loss = UNKNOWN;

    /** Nothing was refused yet. */
    public RememberedLoss() {}

    /**
     * Remembers why a call was refused.
     *
     * @param cause what became of the lease
     * @param detail the same for people, without secrets
     */
    public void remember(LossCause cause, String detail) {
        loss = new Loss(cause, detail);
    }

    /**
     * {@return whether a call was granted} If it was refused, remembers why.
     *
     * @param refusal the reason, or empty if the call was granted
     */
    public boolean isGranted(Optional<Loss> refusal) {
        refusal.ifPresent(reason -> loss = reason);
        return refusal.isEmpty();
    }

    /** Forgets the reason: the store tells none for the last refusal. */
    public void forget() {
        loss = UNKNOWN;
    }

    /**
     * {@return why the last call was refused, or that the store does not know the claim any more if no reason was
     * remembered}
     */
    public Loss get() {
        return loss;
    }
}
