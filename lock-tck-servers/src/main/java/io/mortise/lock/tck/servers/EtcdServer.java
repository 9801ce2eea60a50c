// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import io.mortise.lock.tck.servers.certificate.ServerCertificate;
import io.mortise.lock.tck.servers.definition.EtcdDefinition;
import io.mortise.lock.tck.servers.process.ForwardingServer;
import io.mortise.lock.tck.servers.process.ServerUnavailableException;
import io.mortise.lock.tck.servers.support.FreePort;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A member of an etcd cluster, or a cluster of one member, that a test starts. */
public final class EtcdServer extends ForwardingServer {
    private static final int ANSWER_MILLIS = 10_000;

    private static final String ROOT = "{\"name\":\"root\",\"password\":\"r00t\"}";
    private static final Pattern TOKEN = Pattern.compile("\"token\":\"([^\"]+)\"");

    private final String scheme;

    EtcdServer(EtcdDefinition definition) {
        super(definition);
        scheme = definition.certificate().isPresent() ? "etcds" : "etcd";
    }

    /**
     * Starts a cluster of one member.
     *
     * @return the running member
     * @throws ServerUnavailableException if there is no {@code etcd}, none can be fetched, and no Docker engine answers
     */
    public static EtcdServer start() {
        return new EtcdServer(EtcdDefinition.alone(FreePort.pick(), Optional.empty()));
    }

    /**
     * Starts a cluster of one member that speaks TLS to its clients.
     *
     * @param certificate what it shows to them
     * @return the running member
     * @throws ServerUnavailableException if there is no {@code etcd}, and none can be fetched
     */
    public static EtcdServer startWithTls(ServerCertificate certificate) {
        return new EtcdServer(EtcdDefinition.alone(FreePort.pick(), Optional.of(certificate)));
    }

    /**
     * Its URL.
     *
     * @return {@code etcd://HOST:PORT}, or {@code etcds://HOST:PORT} with TLS
     */
    public String url() {
        return scheme + "://" + host() + ":" + port();
    }

    /**
     * Sends a request to its HTTP gateway. Not for members with TLS.
     *
     * @param path such as {@code kv/range}
     * @param json the request
     * @return the answer
     * @throws IOException if it does not answer, or refuses
     */
    public String post(String path, String json) throws IOException {
        return post(path, json, Optional.empty());
    }

    private String post(String path, String json, Optional<String> token) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) URI.create("http://" + host() + ":" + port() + "/v3/" + path)
                .toURL()
                .openConnection();
        connection.setConnectTimeout(ANSWER_MILLIS);
        connection.setReadTimeout(ANSWER_MILLIS);
        connection.setDoOutput(true);
        token.ifPresent(known -> connection.setRequestProperty("Authorization", known));
        try (OutputStream request = connection.getOutputStream()) {
            request.write(json.getBytes(StandardCharsets.UTF_8));
        }
        try (InputStream answer = connection.getInputStream()) {
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /**
     * How many requests it has begun with since its start. Not for members with TLS.
     *
     * @return a count
     */
    public long requests() {
        try (InputStream metrics = URI.create("http://" + host() + ":" + port() + "/metrics")
                .toURL()
                .openStream()) {
            return new String(metrics.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith("grpc_server_started_total{"))
                    .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Answers from now on only clients that have a user. */
    public void requireUsers() {
        try {
            // A restart without data has forgotten all users.
            if (!post("auth/user/list", "{}").contains("\"root\"")) {
                post("auth/role/add", "{\"name\":\"root\"}");
                post("auth/user/add", ROOT);
                post("auth/user/grant", "{\"user\":\"root\",\"role\":\"root\"}");
            }
            post("auth/enable", "{}");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Answers everybody again. */
    public void requireNoUsers() {
        try {
            Matcher token = TOKEN.matcher(post("auth/authenticate", ROOT));
            if (!token.find()) {
                throw new IOException("root is not known");
            }
            post("auth/disable", "{}", Optional.of(token.group(1)));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
