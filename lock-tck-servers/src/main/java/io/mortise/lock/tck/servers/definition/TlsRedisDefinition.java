// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.definition;

import io.mortise.lock.tck.servers.certificate.ServerCertificate;
import io.mortise.lock.tck.servers.process.ServerDefinition;
import io.mortise.lock.tck.servers.process.ServerLocation;
import io.mortise.lock.tck.servers.process.ServerSetup;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Defines how to run a single Redis server that speaks TLS only. Not in a container: the files of the certificate are outside.
 *
 * @param certificate what it shows to clients
 * @param further arguments, as in {@link RedisDefinition}
 */
public record TlsRedisDefinition(ServerCertificate certificate, List<String> further) implements ServerDefinition {
    @Override
    public String program() {
        return new RedisDefinition(further).program();
    }

    @Override
    public List<String> arguments(ServerLocation location) {
        List<String> all = new ArrayList<>();
        settings(location).forEach((name, value) -> all.addAll(List.of("--" + name, value)));
        all.addAll(further);
        return new RedisDefinition(all).arguments(location);
    }

    /** The lines of a configuration that move a server's port to TLS. */
    static Map<String, String> settings(ServerLocation location) {
        Path data = Path.of(location.data());
        return Map.of(
                "port",
                "0",
                "tls-port",
                String.valueOf(location.port()),
                "tls-cert-file",
                data.resolve(ServerSetup.CERTIFICATE).toString(),
                "tls-key-file",
                data.resolve(ServerSetup.KEY).toString(),
                "tls-ca-cert-file",
                data.resolve(ServerSetup.AUTHORITY).toString(),
                "tls-auth-clients",
                "no",
                "tls-replication",
                "yes",
                "tls-cluster",
                "yes");
    }

    @Override
    public void prepare(ServerSetup setup) throws IOException {
        setup.write(certificate);
    }

    @Override
    public void probe(Socket connection) throws IOException {
        RedisDefinition.ping(certificate.secure(connection));
    }
}
