// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis.connections;

import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.support.FailureClassifier;
import io.mortise.lock.spi.support.TlsRefusal;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Classifies failed calls to Redis from what jedis threw and what Redis answered: how the call ended, and what to do
 * about it. A refusal is only what the server said before anything was written.
 */
public final class RedisFailures implements FailureClassifier {
    public static final String STORE = "Redis";

    private static final String NOT_A_LOCK =
            "the key of the lock holds something that is no lock; look at it, then delete it";

    private static final String OF_A_CLUSTER = "this server belongs to a Cluster; begin the URL with redis+cluster:";

    /** How an error begins that a script met after it had written; calls.lua says so. */
    private static final String PARTIAL = "MORTISE-PARTIAL";

    /** What stands in front of an error's code: Redis before 7 says where in the script the error was. */
    private static final Pattern BEFORE_THE_CODE = Pattern.compile(
            "(?:ERR Error running script \\(call to f_\\w+\\): )?"
                    + "(?:@?user_script: ?\\d+: )*-?(?:ERR )?(?:MORTISE-PARTIAL )?(?:@?user_script: ?\\d+: )*-?(?:ERR )?");

    /** Redis quotes the arguments of a command that it does not know, and so the password if it does not know HELLO. */
    private static final Pattern QUOTED_ARGUMENTS = Pattern.compile(", with args beginning with:.*", Pattern.DOTALL);

    private static final Pattern COMMAND = Pattern.compile("'([\\w|]+)'");

    /** The first whose beginning fits counts. */
    private static final List<ErrorReply> ERROR_REPLIES = List.of(
            passing("LOADING", "the server is loading its data; it answers when it has done so"),
            passing("BUSY", "a script keeps the server busy; SCRIPT KILL ends it"),
            passing("MASTERDOWN", "the replica has lost its master"),
            passing("CLUSTERDOWN", "the cluster lacks some slots"),
            passing("TRYAGAIN", "the slot is being moved to another server"),
            passing("NOREPLICAS", "the server has too few replicas to write"),
            passing("max number of clients", "the server has too many clients; raise maxclients"),
            refused("OOM", "the server's memory is full; raise maxmemory or free some"),
            refused("MISCONF", "the server cannot save its data, and so does not write; its log says why"),
            refused("NOAUTH", "the server wants a password; put it into the URL"),
            refused("WRONGPASS", "user or password are wrong"),
            refused("AUTH <password> called without", "the server has no password; leave it out of the URL"),
            refused("Client sent AUTH, but no password is set", "the server has no password; leave it out of the URL"),
            refused("DENIED", "the server accepts clients of its own host only (protected mode); give it a password"),
            refused("DB index", "the server does not have the database that the URL names after the host"),
            refused("invalid DB index", "the server does not have the database that the URL names after the host"),
            refused("SELECT is not allowed", "a Cluster has no databases but 0; leave the database out of the URL"),
            refused("CROSSSLOT", "the keys of one call are in different slots; the prefix must not contain braces"),
            refused("WRONGTYPE", NOT_A_LOCK),
            refused("MORTISE-FOREIGN", NOT_A_LOCK),
            refused(
                    "Server does not support HELLO",
                    "the server lacks a command that locks need; is it Redis 6.2 or newer?"),
            refused("unknown command", "the server lacks a command that locks need; is it Redis 6.2 or newer?"),
            refused("Unknown Redis command", "the server lacks a command that locks need; is it Redis 6.2 or newer?"));

    private static final List<String> MISSING_PERMISSION =
            List.of("NOPERM", "The user executing the script", "ACL failure in script");

    /** What an error of the server means: how it begins, and for people what happened and what to do. */
    private record ErrorReply(String beginning, boolean isRefusal, String advice) {}

    private final String store;
    private final boolean mastersChange;

    /**
     * Failures of one store.
     *
     * @param store how messages name it
     * @param mastersChange whether another server takes a master's place by itself, so that an answer that names the wrong server
     *     is soon over
     */
    RedisFailures(String store, boolean mastersChange) {
        this.store = store;
        this.mastersChange = mastersChange;
    }

    /** How messages name the store. */
    public String store() {
        return store;
    }

    private static ErrorReply passing(String beginning, String advice) {
        return new ErrorReply(beginning, false, advice);
    }

    private static ErrorReply refused(String beginning, String advice) {
        return new ErrorReply(beginning, true, advice);
    }

    @Override
    public BackendException classify(Throwable failure) {
        if (failure instanceof JedisDataException error) {
            return errorReply(error);
        }
        Optional<String> tls = TlsRefusal.of(failure);
        if (tls.isPresent()) {
            return BackendException.refused("no connection to " + store + ": " + tls.get(), failure);
        }
        return whileConnecting(failure)
                .orElseGet(() -> new BackendException(
                        isTimeout(failure)
                                ? store + " did not answer in time: " + deepest(failure)
                                : "the connection to " + store + " failed: " + deepest(failure),
                        failure));
    }

    /** The failure itself, or a copy of it and its causes without arguments that the server quotes; one of them may be a password. */
    static Throwable withoutArguments(Throwable failure) {
        Throwable cause = failure.getCause();
        Throwable cleanCause = cause == null ? null : withoutArguments(cause);
        Matcher quoted = QUOTED_ARGUMENTS.matcher(String.valueOf(failure.getMessage()));
        if (!quoted.find() && cleanCause == cause) {
            return failure;
        }
        JedisDataException copy = new JedisDataException(quoted.replaceFirst(""), cleanCause);
        copy.setStackTrace(failure.getStackTrace());
        return copy;
    }

    private BackendException errorReply(JedisDataException reply) {
        Throwable error = withoutArguments(reply);
        String message = String.valueOf(error.getMessage());
        Matcher prefix = BEFORE_THE_CODE.matcher(message);
        String said = prefix.lookingAt() ? message.substring(prefix.end()) : message;
        ErrorReply meaning = meaning(said);
        String text = meaning.advice() + " (" + store + " answered: " + message + ")";
        return meaning.isRefusal() && !message.contains(PARTIAL)
                ? BackendException.refused(text, error)
                : new BackendException(text, error);
    }

    private ErrorReply meaning(String said) {
        if (isReplica(said)) {
            return new ErrorReply(
                    "READONLY",
                    !mastersChange,
                    mastersChange
                            ? "this server is a replica now, and its master is being changed"
                            : "this server is a replica, and only its master has locks; name the master in the URL");
        }
        if (said.startsWith("MOVED") || said.startsWith("ASK")) {
            return new ErrorReply(
                    "MOVED",
                    !mastersChange,
                    mastersChange ? "the slot is being moved to another server" : OF_A_CLUSTER);
        }
        if (MISSING_PERMISSION.stream().anyMatch(said::startsWith)) {
            return new ErrorReply("NOPERM", true, missingPermission(said));
        }
        return ERROR_REPLIES.stream()
                .filter(reply -> said.startsWith(reply.beginning()))
                .findFirst()
                .orElseGet(() -> passing("", "the server could not do it"));
    }

    private static String missingPermission(String said) {
        Matcher command = COMMAND.matcher(said);
        return missingPermissions(command.find() ? List.of(command.group(1)) : List.of());
    }

    private static String missingPermissions(List<String> commands) {
        String rules = commands.isEmpty() ? "rules" : "+" + String.join(" +", commands);
        return "the user lacks a permission: give it with ACL SETUSER USER " + rules
                + "; docs/backends/redis.md lists all that is needed";
    }

    /** The user may not run some commands that scripts on locks run. */
    public BackendException lacks(List<String> commands) {
        return BackendException.refused(missingPermissions(commands) + " (" + store + ")", null);
    }

    /** A server that is asked alone has only some of the locks. */
    public BackendException ofACluster() {
        return BackendException.refused(OF_A_CLUSTER + " (" + store + ")", null);
    }

    /** What the scripts wrote stands, but the server did not say how many replicas have it. */
    public BackendException unconfirmed(JedisDataException error) {
        return new BackendException(String.valueOf(errorReply(error).getMessage()), withoutArguments(error));
    }

    /** Whether a server's error says that the server is a replica. */
    public static boolean isReplica(@Nullable Throwable failure) {
        return failure instanceof JedisDataException error && isReplica(String.valueOf(error.getMessage()));
    }

    private static boolean isReplica(String said) {
        return said.contains("READONLY ");
    }

    /** Whether a failure says that the key of a lock holds something that is no lock. */
    public static boolean isForeign(RuntimeException failure) {
        return failure instanceof BackendException known
                && known.kind() == BackendException.Kind.REFUSED
                && String.valueOf(known.getMessage()).startsWith(NOT_A_LOCK);
    }

    public static BackendException notALock() {
        return BackendException.refused(NOT_A_LOCK, null);
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

    /** The key of a lock has no time to live, so that its lease would never end, unless its holder renews it. */
    public static BackendException noTimeToLive(String lock) {
        return new BackendException(
                "the key of lock '" + lock + "' has no time to live; look at it, then delete it", null);
    }

    /** The same request got no answer before, and may have been carried out: then no later answer is a refusal of it. */
    public BackendException afterSilence(RuntimeException failure) {
        RuntimeException later = exceptionFor(failure);
        return later instanceof BackendException known && known.kind() != BackendException.Kind.REFUSED
                ? known
                : new BackendException(store + " did not answer; asked again: " + later.getMessage(), later);
    }

    /** Nothing was sent yet, so what a server said to the client's credentials is a refusal of the call. */
    private Optional<BackendException> whileConnecting(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof JedisDataException error) {
                return Optional.of(errorReply(error));
            }
            if (cause instanceof JedisException
                    && String.valueOf(cause.getMessage()).contains("not monitored")) {
                return Optional.of(BackendException.refused(
                        "the Sentinels know no master of the name that the URL ends with (" + store + ")", failure));
            }
            // A Cluster's client hides there why no node let it in.
            Optional<BackendException> hidden = Arrays.stream(cause.getSuppressed())
                    .flatMap(each -> whileConnecting(each).stream())
                    .findFirst();
            if (hidden.isPresent()) {
                return hidden;
            }
        }
        return Optional.empty();
    }

    private static boolean isTimeout(Throwable failure) {
        return causes(failure).anyMatch(cause -> cause instanceof SocketTimeoutException);
    }

    /** What the system said: what jedis says in front of it names no reason. */
    private static String deepest(Throwable failure) {
        Throwable last = causes(failure).reduce(failure, (before, cause) -> cause);
        Throwable first = last.getSuppressed().length > 0 ? last.getSuppressed()[0] : last;
        return first.getMessage() == null ? first.toString() : first.getMessage();
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.<Throwable>iterate(failure, cause -> cause != null, Throwable::getCause);
    }
}
