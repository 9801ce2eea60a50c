// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.definition;

import io.mortise.lock.tck.servers.certificate.ServerCertificate;
import io.mortise.lock.tck.servers.process.ServerDefinition;
import io.mortise.lock.tck.servers.process.ServerImage;
import io.mortise.lock.tck.servers.process.ServerLocation;
import io.mortise.lock.tck.servers.process.ServerSetup;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Defines how to run a member of an etcd cluster.
 *
 * @param name of the member
 * @param peerUrl where it listens for the other members
 * @param cluster all members, as {@code NAME=URL,NAME=URL,NAME=URL}
 * @param certificate what it shows to clients; empty for one without TLS
 */
public record EtcdDefinition(String name, String peerUrl, String cluster, Optional<ServerCertificate> certificate)
        implements ServerDefinition {
    private static final String ALONE = "alone";

    /** A member that is a cluster of its own. */
    public static EtcdDefinition alone(int peerPort, Optional<ServerCertificate> certificate) {
        String peerUrl = "http://127.0.0.1:" + peerPort;
        return new EtcdDefinition(ALONE, peerUrl, ALONE + "=" + peerUrl, certificate);
    }

    private boolean isAlone() {
        return name.equals(ALONE);
    }

    @Override
    public String program() {
        return "etcd";
    }

    @Override
    public List<String> arguments(ServerLocation location) {
        String scheme = certificate.isPresent() ? "https" : "http";
        List<String> arguments = new ArrayList<>(List.of(
                "--name=" + name,
                "--data-dir=" + location.data() + "/etcd",
                "--listen-client-urls=" + scheme + "://" + location.address() + ":" + location.port(),
                "--advertise-client-urls=" + scheme + "://localhost:" + location.port(),
                "--listen-peer-urls=" + peerUrl,
                "--initial-advertise-peer-urls=" + peerUrl,
                "--initial-cluster=" + cluster,
                "--logger=zap",
                "--log-outputs=stderr",
                // A process that is killed loses nothing by it, only a machine does.
                "--unsafe-no-fsync"));
        if (certificate.isPresent()) {
            Path data = Path.of(location.data());
            arguments.add("--cert-file=" + data.resolve(ServerSetup.CERTIFICATE));
            arguments.add("--key-file=" + data.resolve(ServerSetup.KEY));
        }
        return arguments;
    }

    @Override
    public void prepare(ServerSetup setup) throws IOException {
        if (certificate.isPresent()) {
            setup.write(certificate.get());
        }
    }

    /** A member that waits for the others accepts connections, and answers nothing. */
    @Override
    public void probe(Socket connection) throws IOException {
        if (isAlone()) {
            Socket client = certificate.isPresent() ? certificate.get().secure(connection) : connection;
            client.getOutputStream().write("GET /health HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!answer.contains("\"true\"")) {
                throw new IOException(answer);
            }
        }
    }

    @Override
    public Optional<ServerImage> image() {
        return isAlone() && certificate.isEmpty()
                ? Optional.of(new ServerImage("gcr.io/etcd-development/etcd:v3.6.0", 2379, "/tmp", Map.of()))
                : Optional.empty();
    }
}
