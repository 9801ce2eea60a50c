// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a backend if a call ended without a yes or a no: {@link #kind()} tells whether the store did not answer,
 * whether it refused the call for good, or whether the backend is closed. Thrown by backends only.
 */
public class BackendException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** How a call ended that has neither a yes nor a no. */
    public enum Kind {
        /**
         * The store did not answer, or what it answered is neither yes nor no: the call may or may not have changed the
         * store. The engine tries again while there is time and tells its caller what was not known.
         */
        NO_ANSWER,
        /**
         * The store answered that it will not do this for this client, as client and store are set up, and the call changed
         * nothing. Asking again is of no use; the message says what to do.
         */
        REFUSED,
        /** This backend is closed, and the call was not sent. */
        CLOSED
    }

    /** How the call ended. */
    private final Kind kind;

    @SuppressWarnings("serial")
    private final transient @Nullable CompletionStage<?> end;

    /**
     * A call that has ended without an answer that says yes or no.
     *
     * @param message what was tried and what the store did; without secrets
     * @param cause the driver's exception, or null
     */
    public BackendException(String message, @Nullable Throwable cause) {
        this(message, cause, null);
    }

    /**
     * A call that was given up while it was still running.
     *
     * @param message what was tried and what the store did; without secrets
     * @param cause the driver's exception, or null
     * @param end completes, in any way, when the call can no longer change the store; null if it has ended already. The
     *     engine then releases the claim once more
     */
    public BackendException(String message, @Nullable Throwable cause, @Nullable CompletionStage<?> end) {
        this(Kind.NO_ANSWER, message, cause, end);
    }

    BackendException(Kind kind, String message, @Nullable Throwable cause, @Nullable CompletionStage<?> end) {
        super(message, cause);
        this.kind = kind;
        this.end = end;
    }

    /**
     * {@return an exception of the kind {@link Kind#REFUSED}, for a call that the store refused for good}
     *
     * @param message what was refused and what to do about it; without secrets
     * @param cause the driver's exception, or null
     */
    public static BackendException refused(String message, @Nullable Throwable cause) {
        return new BackendException(Kind.REFUSED, message, cause, null);
    }

    /**
     * {@return an exception of the kind {@link Kind#CLOSED}, for a call of a backend that is closed}
     *
     * @param store the store's name as it stands in messages, such as {@code Redis}
     */
    public static BackendException closed(String store) {
        return new BackendException(Kind.CLOSED, "this client of " + store + " is closed", null, null);
    }

    /**
     * {@return how the call ended: {@link Kind#NO_ANSWER} unless it was made by {@link #refused} or
     * {@link #closed}}
     */
    public final Kind kind() {
        return kind;
    }

    /**
     * {@return a stage that completes when a call that was given up can no longer change the store; empty if it has
     * ended already}
     */
    public final Optional<CompletionStage<?>> end() {
        return Optional.ofNullable(end);
    }
}
