// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.connections;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.support.FailureClassifier;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Classifies failed calls to Redis from what jedis threw and what Redis answered: how the call ended, and what to do
 * about it.
 */
public final class RedisFailures implements FailureClassifier {
    public static final RedisFailures FAILURES = new RedisFailures();

    public static final String STORE = "Redis";

    private static final String MISSING_PERMISSION =
            "the user lacks a permission; docs/backends/redis.md lists what is needed";
    private static final String NOT_A_LOCK =
            "the key of the lock holds something that is no lock; look at it, then delete it";
    private static final String NO_DATABASE = "ERR DB index";

    /** The first whose beginning fits counts. */
    private static final List<ErrorReply> ERROR_REPLIES = List.of(
            new ErrorReply(
                    "READONLY",
                    "this server is a replica now; its master is being changed, or the URL names the wrong server"),
            new ErrorReply("LOADING", "the server is loading its data; it answers when it has done so"),
            new ErrorReply("BUSY", "a script keeps the server busy; SCRIPT KILL ends it"),
            new ErrorReply("OOM", "the server's memory is full; raise maxmemory or free some"),
            new ErrorReply("NOAUTH", "the server wants a password; put it into the URL"),
            new ErrorReply("WRONGPASS", "user or password are wrong"),
            new ErrorReply(NO_DATABASE, "the server does not have the database that the URL names after the host"),
            new ErrorReply("NOPERM", MISSING_PERMISSION),
            new ErrorReply("ERR The user executing the script", MISSING_PERMISSION),
            new ErrorReply("MASTERDOWN", "the replica has lost its master"),
            new ErrorReply("CLUSTERDOWN", "the cluster lacks some slots"),
            new ErrorReply("TRYAGAIN", "the slot is being moved to another server"),
            new ErrorReply("MOVED", "the slot has moved to another server"),
            new ErrorReply("ASK", "the slot is being moved to another server"),
            new ErrorReply(
                    "CROSSSLOT", "the keys of one call are in different slots; the prefix must not contain braces"),
            new ErrorReply("NOREPLICAS", "the server has too few replicas to write"),
            new ErrorReply("MISCONF", "the server cannot save its data, and so does not write"),
            new ErrorReply("WRONGTYPE", NOT_A_LOCK));

    /** What an error of the server means: how it begins, and for people what happened and what to do. */
    private record ErrorReply(String beginning, String advice) {}

    private RedisFailures() {}

    @Override
    public BackendException classify(Throwable failure) {
        if (failure instanceof JedisDataException error) {
            return errorReply(error);
        }
        return isTimeout(failure)
                ? new BackendException("Redis did not answer in time: " + failure.getMessage(), failure)
                : new BackendException("the connection to Redis failed: " + failure.getMessage(), failure);
    }

    private static BackendException errorReply(JedisDataException error) {
        String message = String.valueOf(error.getMessage());
        return ERROR_REPLIES.stream()
                .filter(reply -> message.startsWith(reply.beginning()))
                .findFirst()
                .map(reply -> new BackendException(reply.advice() + " (Redis answered: " + message + ")", error))
                .orElseGet(() -> new BackendException("Redis answered: " + message, error));
    }

    public static BackendException notALock() {
        return new BackendException(NOT_A_LOCK, null);
    }

    /** A server that is asked as a master is the replica of another one. */
    public static BackendException replica(String master) {
        return BackendException.refused(
                "this server is a replica of " + master
                        + ", and what it says of a lock is its master's answer; name the"
                        + " master in the URL instead",
                null);
    }

    /** No server of the Cluster says that it has a slot. */
    public static BackendException unservedSlot(int slot) {
        return new BackendException("the cluster lacks some slots: no server has slot " + slot, null);
    }

    /** The key of a lock has no time to live, so that its lease would never end. */
    public static BackendException noTimeToLive(String lock) {
        return new BackendException(
                "the key of lock '" + lock + "' has no time to live; look at it, then delete it", null);
    }

    /** What is wrong with the URL or the client's settings, if that is why connecting failed. */
    static Optional<String> configurationMistake(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            // A Cluster's client hides there why no node let it in.
            Optional<String> hidden = Arrays.stream(cause.getSuppressed())
                    .flatMap(each -> configurationMistake(each).stream())
                    .findFirst();
            if (hidden.isPresent()) {
                return hidden;
            }
            String message = String.valueOf(cause.getMessage());
            if (cause instanceof JedisAccessControlException || message.startsWith(NO_DATABASE)) {
                return Optional.ofNullable(
                        errorReply((JedisDataException) cause).getMessage());
            }
            if (cause instanceof JedisException && message.contains("not monitored")) {
                return Optional.of("the Sentinels know no master of the name that the URL ends with");
            }
        }
        return Optional.empty();
    }

    private static boolean isTimeout(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SocketTimeoutException) {
                return true;
            }
        }
        return false;
    }
}
