// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.process;

import io.mortise.lock.tck.servers.certificate.ServerCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** Runs programs that make a server's data before it starts, as the user that the server will run as. */
public final class ServerSetup {
    /** The file of the server's certificate. */
    public static final String CERTIFICATE = "server.crt";

    /** The file of the server's key. */
    public static final String KEY = "server.key";

    /** The file of the authority's certificate. */
    public static final String AUTHORITY = "authority.crt";

    private final ServerUser user;
    private final ServerLocation location;
    private final Path directory;

    ServerSetup(ServerUser user, ServerLocation location, Path directory) {
        this.user = user;
        this.location = location;
        this.directory = directory;
    }

    /**
     * Where the server will run.
     *
     * @return its address, port and data directory, which is empty
     */
    public ServerLocation location() {
        return location;
    }

    /**
     * Writes a server's certificate, its key and the certificate of its authority into the data directory, as {@link #CERTIFICATE},
     * {@link #KEY} and {@link #AUTHORITY}; only the server's user may read the key.
     *
     * @param certificate of the server
     * @throws IOException if a file cannot be written
     */
    public void write(ServerCertificate certificate) throws IOException {
        Path data = Path.of(location.data());
        Files.writeString(data.resolve(CERTIFICATE), certificate.pem());
        Files.writeString(data.resolve(AUTHORITY), certificate.authority().pem());
        Path key = data.resolve(KEY);
        Files.writeString(key, certificate.keyPem());
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        user.give(key);
    }

    /**
     * Runs a program of the server's packages to its end.
     *
     * @param program such as {@code initdb}
     * @param arguments its arguments
     * @throws IllegalStateException if its exit status is not 0, with what it said
     */
    public void run(String program, String... arguments) {
        ServerProgram found = user.reaching(ServerProgram.find(program), directory);
        List<String> command = new ArrayList<>(user.prefix());
        command.add(found.path().toString());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        found.addLibraries(builder);
        CommandResult result = CommandResult.of(builder);
        if (result.status() != 0) {
            throw new IllegalStateException(program + " failed: " + result);
        }
    }
}
