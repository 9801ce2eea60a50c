// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.process;

import java.util.Map;

/**
 * Describes the Docker image of a server. A container is started with the program's name and the arguments that
 * {@link ServerDefinition#arguments} gives for the address, the port and the data directory inside the container.
 *
 * @param name such as {@code redis:7.4-alpine}
 * @param port where the server listens inside the container
 * @param data the data directory inside the container
 * @param environment variables that tell the image how to make its data; it does so itself, without {@link ServerDefinition#prepare}
 */
public record ServerImage(String name, int port, String data, Map<String, String> environment) {}
