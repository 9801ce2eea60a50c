// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Servers as processes and containers of this machine: starting, freezing, killing and restarting them, as which user, and from which
 * program. To test a backend on another server, implement {@link io.mortise.lock.tck.servers.process.ServerDefinition}.
 */
@NullMarked
package io.mortise.lock.tck.servers.process;

import org.jspecify.annotations.NullMarked;
