// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

/**
 * A server as a Docker image. It is started with the program's name and the arguments that {@link ServerKind#arguments} gives for
 * the address, the port and the data directory inside the container.
 *
 * @param name such as {@code redis:7.4-alpine}
 * @param port where the server listens inside the container
 * @param data the data directory inside the container
 */
public record ServerImage(String name, int port, String data) {}
