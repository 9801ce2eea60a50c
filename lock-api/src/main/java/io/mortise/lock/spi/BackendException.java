// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a call is not known: the store did not answer, or what it answered is neither yes nor no. Thrown by
 * backends only. The engine tries again while there is time and tells its caller what was not known.
 */
public class BackendException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial")
    private final transient @Nullable CompletionStage<?> end;

    /**
     * A call that has ended without a usable answer.
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
        super(message, cause);
        this.end = end;
    }

    /**
     * When a call that was given up has ended.
     *
     * @return a stage that completes when the call can no longer change the store, or empty if it has ended already
     */
    public final Optional<CompletionStage<?>> end() {
        return Optional.ofNullable(end);
    }
}
