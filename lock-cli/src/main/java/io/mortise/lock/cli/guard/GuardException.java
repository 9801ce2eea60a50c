// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.guard;

import org.jspecify.annotations.Nullable;

/** Thrown if commands cannot be guarded on this machine. Nothing was started; the message says what to do. */
public final class GuardException extends Exception {
    private static final long serialVersionUID = 1L;

    GuardException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
