// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import java.util.Map;

/**
 * A server as a Docker image. It is started with the program's name and the arguments that {@link ServerKind#arguments} gives for
 * the address, the port and the data directory inside the container.
 *
 * @param name such as {@code redis:7.4-alpine}
 * @param port where the server listens inside the container
 * @param data the data directory inside the container
 * @param environment variables that tell the image how to make its data, in place of {@link ServerKind#prepare}
 */
public record ServerImage(String name, int port, String data, Map<String, String> environment) {
    /**
     * An image that needs to be told nothing.
     *
     * @param name such as {@code redis:7.4-alpine}
     * @param port where the server listens inside the container
     * @param data the data directory inside the container
     */
    public ServerImage(String name, int port, String data) {
        this(name, port, data, Map.of());
    }
}
