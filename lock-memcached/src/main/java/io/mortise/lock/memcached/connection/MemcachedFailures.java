// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.connection;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.support.CallDeadline;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Creates the exceptions that tell how a call to one server ended without a yes or a no. Immutable. */
public record MemcachedFailures(String server) {
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

    BackendException withoutPassword() {
        return BackendException.refused("memcached at " + server + " asks for a user and a password", null);
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
