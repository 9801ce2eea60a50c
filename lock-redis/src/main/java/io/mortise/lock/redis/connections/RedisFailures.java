// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.connections;

import io.mortise.lock.LockException;
import io.mortise.lock.spi.BackendException;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** What went wrong, in words that say what to do. The outcome of a call that failed is never known. */
public final class RedisFailures {
    private static final String MISSING_PERMISSION =
            "the user lacks a permission; docs/backends/redis.md lists what is needed";

    private static final String NO_DATABASE = "ERR DB index";

    private static final Map<String, String> ADVICE = Map.ofEntries(
            Map.entry(
                    "READONLY",
                    "this server is a replica now; its master is being changed, or the URL names the wrong server"),
            Map.entry("LOADING", "the server is loading its data; it answers when it has done so"),
            Map.entry("BUSY", "a script keeps the server busy; SCRIPT KILL ends it"),
            Map.entry("OOM", "the server's memory is full; raise maxmemory or free some"),
            Map.entry("NOAUTH", "the server wants a password; put it into the URL"),
            Map.entry("WRONGPASS", "user or password are wrong"),
            Map.entry(NO_DATABASE, "the server does not have the database that the URL names after the host"),
            Map.entry("NOPERM", MISSING_PERMISSION),
            Map.entry("ERR The user executing the script", MISSING_PERMISSION),
            Map.entry("MASTERDOWN", "the replica has lost its master"),
            Map.entry("CLUSTERDOWN", "the cluster lacks some slots"),
            Map.entry("TRYAGAIN", "the slot is being moved to another server"),
            Map.entry("MOVED", "the slot has moved to another server"),
            Map.entry("ASK", "the slot is being moved to another server"),
            Map.entry("CROSSSLOT", "the keys of one call are in different slots; the prefix must not contain braces"),
            Map.entry("NOREPLICAS", "the server has too few replicas to write"),
            Map.entry("MISCONF", "the server cannot save its data, and so does not write"),
            Map.entry("WRONGTYPE", "the key of the lock holds something that is no lock; look at it, then delete it"));

    private RedisFailures() {}

    /** The failure of a call as the engine knows it. */
    public static RuntimeException unanswered(@Nullable Throwable failure) {
        if (failure instanceof LockException || failure instanceof BackendException) {
            return (RuntimeException) failure;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof JedisDataException refused) {
            return refused(refused);
        }
        String message = failure == null ? "" : failure.getMessage();
        return timedOut(failure)
                ? new BackendException("Redis did not answer in time: " + message, failure)
                : new BackendException("the connection to Redis failed: " + message, failure);
    }

    /** An error that the server answered. */
    public static BackendException refused(JedisDataException refused) {
        String message = String.valueOf(refused.getMessage());
        return ADVICE.entrySet().stream()
                .filter(advice -> message.startsWith(advice.getKey()))
                .findFirst()
                .map(advice -> new BackendException(advice.getValue() + " (Redis answered: " + message + ")", refused))
                .orElseGet(() -> new BackendException("Redis answered: " + message, refused));
    }

    /** What the URL says that the servers do not take, if that is why connecting failed. */
    static Optional<String> mistake(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            // A Cluster's client hides there why no node let it in.
            Optional<String> hidden = Arrays.stream(cause.getSuppressed())
                    .flatMap(each -> mistake(each).stream())
                    .findFirst();
            if (hidden.isPresent()) {
                return hidden;
            }
            String message = String.valueOf(cause.getMessage());
            if (cause instanceof JedisAccessControlException || message.startsWith(NO_DATABASE)) {
                return Optional.ofNullable(refused((JedisDataException) cause).getMessage());
            }
            if (cause instanceof JedisException && message.contains("not monitored")) {
                return Optional.of("the Sentinels know no master of the name that the URL ends with");
            }
        }
        return Optional.empty();
    }

    private static boolean timedOut(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SocketTimeoutException) {
                return true;
            }
        }
        return false;
    }
}
