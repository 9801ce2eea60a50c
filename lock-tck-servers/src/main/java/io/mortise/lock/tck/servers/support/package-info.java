// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** What the other packages share: free ports, connections with limits, waiting for a server's answer, daemon threads. */
@NullMarked
package io.mortise.lock.tck.servers.support;

import org.jspecify.annotations.NullMarked;
