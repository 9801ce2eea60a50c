// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.process;

/**
 * The location of one server: where it listens, and where it keeps its data.
 *
 * @param address the address to listen on
 * @param port the port to listen on
 * @param data an existing directory of its own
 * @param root what to put before a path such as {@code /usr/share} to find the files of the server's packages; empty where they are
 *     installed
 */
public record ServerLocation(String address, int port, String data, String root) {}
