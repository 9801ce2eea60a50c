// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.connection;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.support.CallDeadline;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Creates the exceptions that tell how a call to one server ended without a yes or a no. Immutable.
 *
 * @param server the server's name, such as {@code localhost:11211}
 */
public record MemcachedFailures(String server) {
    /** The store's name in messages. */
    public static final String STORE = "memcached";

    private static final int TOO_LARGE = 0x03;
    private static final int INVALID_ARGUMENTS = 0x04;
    private static final int NOT_AUTHENTICATED = 0x20;
    private static final int UNKNOWN_COMMAND = 0x81;

    /** The statuses that the same command would get again. Others, such as out of memory, may pass. */
    private static final Set<Integer> FOR_GOOD =
            Set.of(TOO_LARGE, INVALID_ARGUMENTS, NOT_AUTHENTICATED, UNKNOWN_COMMAND);

    /** For a status that is neither yes nor no. */
    public BackendException unusable(Command.Reply reply) {
        String words = new String(reply.body(), StandardCharsets.UTF_8);
        String message =
                "memcached at " + server + " refused: " + (words.isBlank() ? "status " + reply.status() : words);
        return FOR_GOOD.contains(reply.status())
                ? BackendException.refused(message, null)
                : new BackendException(message, null);
    }

    /** For a server that gives items no versions. */
    public BackendException withoutVersions() {
        return BackendException.refused(
                "memcached at " + server + " runs without compare-and-swap (-C); locks need it", null);
    }

    BackendException passwordNeeded() {
        return BackendException.refused("memcached at " + server + " asks for a user and a password", null);
    }

    /** Not refused for good: a server that closes the connection for another reason looks the same. */
    BackendException passwordNotAccepted() {
        return new BackendException("memcached at " + server + " has not accepted the user and the password", null);
    }

    BackendException notConnected() {
        return new BackendException("there is no connection to memcached at " + server, null);
    }

    BackendException connectionLost() {
        return new BackendException("the connection to memcached at " + server + " was lost", null);
    }

    BackendException noHandshake() {
        return new BackendException("memcached at " + server + " did not answer the initial stats request", null);
    }

    BackendException queueIsFull(IllegalStateException cause) {
        return new BackendException("the queue of commands to memcached at " + server + " is full", cause);
    }

    /** The server did not answer in time; {@code request} may still change its items, unless it is null. */
    BackendException noAnswer(CallDeadline deadline, @Nullable CompletableFuture<?> request) {
        return new BackendException(
                "memcached at " + server + " did not answer within "
                        + deadline.atMost().toMillis() + " ms",
                null,
                request);
    }
}
