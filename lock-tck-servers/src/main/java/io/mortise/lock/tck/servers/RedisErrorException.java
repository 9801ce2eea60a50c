// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

/** Thrown if a Redis server has answered a command with an error. */
public final class RedisErrorException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    RedisErrorException(String message) {
        super(message);
    }
}
