// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration;

import io.mortise.lock.LockException;
import org.jspecify.annotations.Nullable;

/** Thrown if a step of a migration is refused. Nothing was changed. The message says why, and what to do. */
public final class MigrationException extends LockException {
    private static final long serialVersionUID = 1L;

    MigrationException(String message) {
        this(message, null);
    }

    MigrationException(String message, @Nullable Throwable cause) {
        super("", message, cause);
    }
}
