// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.micrometer;

import io.mortise.lock.LockClosedException;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.LockTimeoutException;

/** How a call ended, as the value of a tag. */
final class Outcome {
    private Outcome() {}

    /** Of a call that got no lock. */
    static String of(Throwable failure) {
        if (failure instanceof LockStoreException) {
            return "unanswered";
        } else if (failure instanceof LockConfigurationException) {
            return "refused";
        } else if (failure instanceof LockTimeoutException) {
            return "busy";
        } else if (failure instanceof InterruptedException) {
            return "interrupted";
        }
        return failure instanceof LockClosedException ? "closed" : "failed";
    }
}
