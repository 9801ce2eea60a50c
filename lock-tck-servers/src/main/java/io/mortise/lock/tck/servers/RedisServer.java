// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import static java.util.stream.Collectors.joining;

import io.mortise.lock.tck.servers.certificate.ServerCertificate;
import io.mortise.lock.tck.servers.definition.RedisDefinition;
import io.mortise.lock.tck.servers.definition.TlsRedisDefinition;
import io.mortise.lock.tck.servers.process.ForwardingServer;
import io.mortise.lock.tck.servers.process.ServerDefinition;
import io.mortise.lock.tck.servers.process.ServerUnavailableException;
import io.mortise.lock.tck.servers.support.ClientSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Redis server that a test starts. Unless its arguments say otherwise it saves nothing: a restart empties it.
 */
public final class RedisServer extends ForwardingServer {
    private static final int ASK_MILLIS = 1_000;
    private static final int REPLY_MILLIS = 5_000;
    private static final Pattern CALLS = Pattern.compile("cmdstat_([^:]+):calls=(\\d+)");

    private final Optional<ServerCertificate> certificate;

    RedisServer(ServerDefinition definition) {
        this(definition, Optional.empty());
    }

    /** One that speaks TLS only, if it has a certificate. */
    RedisServer(ServerDefinition definition, Optional<ServerCertificate> certificate) {
        super(definition);
        this.certificate = certificate;
    }

    /**
     * Starts one.
     *
     * @param arguments of {@code redis-server}, after those that set address, port and directory and turn saving off; such as
     *     {@code "--appendonly", "yes"}
     * @return the running server
     * @throws ServerUnavailableException if there is no {@code redis-server}, none can be fetched, and no Docker engine answers
     */
    public static RedisServer start(String... arguments) {
        return new RedisServer(new RedisDefinition(List.of(arguments)));
    }

    /**
     * Starts one that speaks TLS only, and asks its clients for no certificates.
     *
     * @param certificate what it shows to clients
     * @param arguments as in {@link #start}
     * @return the running server
     * @throws ServerUnavailableException if there is no {@code redis-server}, and none can be fetched
     */
    public static RedisServer startWithTls(ServerCertificate certificate, String... arguments) {
        return new RedisServer(new TlsRedisDefinition(certificate, List.of(arguments)), Optional.of(certificate));
    }

    /**
     * Its URL.
     *
     * @return {@code redis://HOST:PORT}; with {@code rediss} if it speaks TLS
     */
    public String url() {
        return scheme() + "://" + host() + ":" + port();
    }

    String scheme() {
        return certificate.isPresent() ? "rediss" : "redis";
    }

    /** Removes all keys of all databases, and all scripts. */
    public void flush() {
        command("FLUSHALL", "SYNC");
        command("SCRIPT", "FLUSH");
    }

    /**
     * Runs a command on a connection of its own.
     *
     * @param words the command and its arguments
     * @return a {@code String}, a {@code Long}, a {@code List} of replies, or null
     * @throws RedisErrorException if the server answers with an error
     * @throws UncheckedIOException if it does not answer
     */
    public @Nullable Object command(String... words) {
        try (RedisConnection connection = connect(REPLY_MILLIS)) {
            return connection.command(words);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * Runs a command that writes, and waits until replicas have what it wrote: {@code WAIT} on another connection would say nothing
     * about it.
     *
     * @param replicas how many
     * @param words the command and its arguments
     * @return as {@link #command}
     * @throws RedisErrorException if the server answers with an error
     * @throws UncheckedIOException if it does not answer
     * @throws IllegalStateException if fewer replicas have it within four seconds
     */
    public @Nullable Object replicate(int replicas, String... words) {
        try (RedisConnection connection = connect(REPLY_MILLIS)) {
            Object reply = connection.command(words);
            Object confirmed = connection.command("WAIT", String.valueOf(replicas), "4000");
            if (!(confirmed instanceof Long count && count >= replicas)) {
                throw new IllegalStateException(
                        "only " + confirmed + " of " + replicas + " replicas have " + words[0] + " of " + url());
            }
            return reply;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * How often each command was called, by clients and by scripts, since the start or the last {@code CONFIG RESETSTAT}.
     *
     * @return calls by the command's name in lower case, subcommands as {@code script|load}; the call that asks for them is not among
     *     them if it is the first of its kind
     */
    public Map<String, Long> commandStats() {
        Map<String, Long> calls = new TreeMap<>();
        for (MatchResult line : CALLS.matcher(String.valueOf(command("INFO", "commandstats")))
                .results()
                .toList()) {
            calls.put(line.group(1), Long.valueOf(line.group(2)));
        }
        return calls;
    }

    /**
     * How many commands it has run, for clients and for scripts, since the start or the last {@code CONFIG RESETSTAT}: all but
     * {@code INFO} and {@code CONFIG}, which ask for that.
     *
     * @return a count
     */
    public long requests() {
        return commandStats().entrySet().stream()
                .filter(command ->
                        !command.getKey().equals("info") && !command.getKey().startsWith("config"))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** {@link #command} for callers that ask again: fails after a second without an answer, and if the answer is an error. */
    @Nullable
    Object ask(String... words) throws IOException {
        try (RedisConnection connection = connect(ASK_MILLIS)) {
            return connection.command(words);
        } catch (RedisErrorException error) {
            throw new IOException(error);
        }
    }

    private RedisConnection connect(int limitMillis) throws IOException {
        Socket socket = ClientSocket.connect(host(), port(), limitMillis);
        return new RedisConnection(certificate.isPresent() ? certificate.get().secure(socket) : socket);
    }

    boolean isMaster() throws IOException {
        return ask("ROLE") instanceof List<?> role && "master".equals(role.get(0));
    }

    String setting(String name) {
        if (command("CONFIG", "GET", name) instanceof List<?> pair && pair.size() == 2) {
            return String.valueOf(pair.get(1));
        }
        throw new IllegalStateException(url() + " has no setting " + name);
    }

    static String outputs(Stream<RedisServer> servers) {
        return servers.map(server -> server.url() + " said:\n" + server.output())
                .collect(joining("\n"));
    }
}
