// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.process;

/** Thrown if a server cannot be run on this machine. The message is one line and says what to install. */
public final class ServerUnavailableException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates one.
     *
     * @param message what is missing, and what to do about it
     */
    public ServerUnavailableException(String message) {
        super(message);
    }
}
