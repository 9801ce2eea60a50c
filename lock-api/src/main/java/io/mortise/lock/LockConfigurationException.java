// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a store URL, an option or a store cannot be used as it is configured. Nothing was locked; change the
 * configuration.
 */
public class LockConfigurationException extends LockException {
    private static final long serialVersionUID = 1L;

    /**
     * A mistake in the configuration.
     *
     * @param message what is wrong and what would be right; without secrets
     */
    public LockConfigurationException(String message) {
        this(message, null);
    }

    /**
     * A mistake in the configuration that showed as another exception.
     *
     * @param message what is wrong and what would be right; without secrets
     * @param cause how it showed, or null
     */
    public LockConfigurationException(String message, @Nullable Throwable cause) {
        super("", message, cause);
    }
}
