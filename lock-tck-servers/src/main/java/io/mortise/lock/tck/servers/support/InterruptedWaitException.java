// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.support;

/**
 * Thrown if a thread was interrupted in a method that does not declare {@link InterruptedException}. It is still
 * marked as interrupted.
 */
public final class InterruptedWaitException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private InterruptedWaitException(String what) {
        super("interrupted: " + what);
    }

    /** Marks the calling thread as interrupted again, and returns the exception to throw. */
    public static InterruptedWaitException during(String what) {
        Thread.currentThread().interrupt();
        return new InterruptedWaitException(what);
    }
}
