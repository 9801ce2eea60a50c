// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached.connection;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.support.CallDeadline;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Creates the exceptions that tell how a call to one server ended without a yes or a no. Immutable. */
public record MemcachedFailures(String server) {
    public static final String STORE = "memcached";

    private static final int TOO_LARGE = 0x03;
    private static final int INVALID_ARGUMENTS = 0x04;
    private static final int NOT_AUTHENTICATED = 0x20;
    private static final int UNKNOWN_COMMAND = 0x81;

    private static final int NOT_SUPPORTED = 0x83;

    /**
     * The statuses that the same command would get again, and what to do. Others may pass: a server whose memory is full has room
     * again when a lock ends.
     */
    private static final Map<Integer, String> FOR_GOOD = Map.of(
            TOO_LARGE, "use a shorter label, or raise its limit for items (-I)",
            INVALID_ARGUMENTS, "use memcached itself, and no other server or proxy in its place",
            NOT_AUTHENTICATED, "give it a user and a password that it knows",
            UNKNOWN_COMMAND, "use memcached 1.4 or newer, and no proxy in its place",
            NOT_SUPPORTED, "use memcached itself, and no other server or proxy in its place");

    /** For a status that is neither yes nor no. */
    public BackendException unusable(Command.Reply reply) {
        String words = new String(reply.body(), StandardCharsets.UTF_8);
        String message =
                "memcached at " + server + " refused: " + (words.isBlank() ? "status " + reply.status() : words);
        String advice = FOR_GOOD.get(reply.status());
        return advice == null
                ? new BackendException(message, null)
                : BackendException.refused(message + "; " + advice, null);
    }

    /** For a server that gives items no versions. */
    public BackendException withoutVersions() {
        return BackendException.refused(
                "memcached at " + server + " runs without compare-and-swap (-C); locks need it", null);
    }

    BackendException withoutPassword() {
        return BackendException.refused(
                "memcached at " + server + " asks for a user and a password: memcached://user:password@" + server,
                null);
    }

    BackendException wrongPassword() {
        return BackendException.refused(
                "memcached at " + server
                        + " rejects the user and the password; correct them, or look whether its SASL service works",
                null);
    }

    BackendException startedLately(long ranFor, long missing) {
        return new BackendException(
                "memcached at " + server + " was started " + TimeUnit.NANOSECONDS.toSeconds(ranFor)
                        + " s ago and may have forgotten locks that are still held; because of restartDelay it grants none for another "
                        + (TimeUnit.NANOSECONDS.toSeconds(missing) + 1) + " s",
                null);
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
