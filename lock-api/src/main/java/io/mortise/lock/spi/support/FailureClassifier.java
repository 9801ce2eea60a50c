// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi.support;

import io.mortise.lock.LockException;
import io.mortise.lock.spi.BackendException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * Classifies what the store's driver threw as no answer, as a refusal for good, or as a closed backend: the one place
 * of a backend that reads its driver's error codes. A backend writes {@link #classify} once; its calls use
 * {@link #exceptionFor}. Thread-safe.
 */
@FunctionalInterface
public interface FailureClassifier {
    /**
     * What a failure of the driver means. Never called with a {@link BackendException}, a {@link LockException}, an
     * {@link Error}, or the wrapper of a future's failure.
     *
     * @param failure what the driver threw
     * @return the exception for the engine: {@link BackendException#refused} if the store said that it will not,
     *     {@link BackendException#closed} if this backend is closed, else one of the kind
     *     {@link BackendException.Kind#NO_ANSWER}; its message shows no secrets
     */
    RuntimeException classify(Throwable failure);

    /**
     * {@return the exception to throw when a call has failed: the failure itself if it says already how the call ended, else
     * what {@link #classify} makes of it}
     *
     * @param failure what was thrown, perhaps wrapped by a future
     * @throws Error if the failure is one
     */
    default RuntimeException exceptionFor(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof ExecutionException || cause instanceof CompletionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof BackendException || cause instanceof LockException
                ? (RuntimeException) cause
                : classify(cause);
    }
}
