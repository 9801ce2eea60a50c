// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockException;
import io.mortise.lock.LockStoreException;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A copy of an exception that quotes a secret, with the same stack trace and name but without the secret. */
final class CleanFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String text;

    private CleanFailure(String text, @Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
        this.text = text;
    }

    /** The failure if the mask changes nothing in it, in its causes and in what they suppressed; else a copy that is masked. */
    static Throwable of(Throwable failure, UnaryOperator<String> mask) {
        return of(failure, mask, new IdentityHashMap<>());
    }

    private static Throwable of(Throwable failure, UnaryOperator<String> mask, Map<Throwable, Boolean> above) {
        if (above.putIfAbsent(failure, true) != null) {
            return new CleanFailure("a circle of causes", null, null);
        }
        Throwable cause = failure.getCause() == null ? null : of(failure.getCause(), mask, above);
        Throwable[] suppressed = failure.getSuppressed();
        boolean same = cause == failure.getCause();
        for (int i = 0; i < suppressed.length; i++) {
            Throwable clean = of(suppressed[i], mask, above);
            same &= clean == suppressed[i];
            suppressed[i] = clean;
        }
        above.remove(failure);
        String text = String.valueOf(failure);
        String message = failure.getMessage();
        String cleanMessage = message == null ? null : mask.apply(message);
        if (same && mask.apply(text).equals(text) && (message == null || message.equals(cleanMessage))) {
            return failure;
        }
        Throwable copy = copy(failure, mask.apply(text), cleanMessage, cause);
        copy.setStackTrace(failure.getStackTrace());
        for (Throwable clean : suppressed) {
            copy.addSuppressed(clean);
        }
        return copy;
    }

    /** What callers tell apart by its class keeps its class. */
    private static Throwable copy(Throwable failure, String text, @Nullable String message, @Nullable Throwable cause) {
        String said = String.valueOf(message);
        if (failure instanceof BackendException call) {
            return new BackendException(call.kind(), said, cause, call.end().orElse(null));
        } else if (failure instanceof LockConfigurationException) {
            return new LockConfigurationException(said, cause);
        } else if (failure instanceof LockStoreException store) {
            return new LockStoreException(store.lockName(), said, cause);
        } else if (failure instanceof LockException lock) {
            return new LockException(lock.lockName(), said, cause);
        } else if (failure instanceof IllegalArgumentException) {
            return new IllegalArgumentException(message, cause);
        } else if (failure instanceof UnsupportedOperationException) {
            return new UnsupportedOperationException(message, cause);
        } else if (failure instanceof LinkageError) {
            return new LinkageError(said, cause);
        } else if (failure instanceof Error) {
            return new Error(message, cause);
        }
        return new CleanFailure(text, message, cause);
    }

    /** As that of the original, without the secret. */
    @Override
    public String toString() {
        return text;
    }
}
