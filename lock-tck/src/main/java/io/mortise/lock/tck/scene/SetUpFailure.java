// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.scene;

import org.jspecify.annotations.Nullable;

/** A case could not be tried: a server is not there, or a child process cannot start. No rule of a lock is broken by that. */
public final class SetUpFailure extends AssertionError {
    private static final long serialVersionUID = 1;

    public SetUpFailure(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    @Override
    public String toString() {
        return String.valueOf(getMessage());
    }
}
