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
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A member of an etcd cluster, or a cluster of one member, that a test starts. */
public final class EtcdServer extends ForwardingServer {
    private static final int ANSWER_MILLIS = 10_000;

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
        HttpURLConnection connection = (HttpURLConnection) URI.create("http://" + host() + ":" + port() + "/v3/" + path)
                .toURL()
                .openConnection();
        connection.setConnectTimeout(ANSWER_MILLIS);
        connection.setReadTimeout(ANSWER_MILLIS);
        connection.setDoOutput(true);
        try (OutputStream request = connection.getOutputStream()) {
            request.write(json.getBytes(StandardCharsets.UTF_8));
        }
        try (InputStream answer = connection.getInputStream()) {
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
