// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** A TCP proxy between clients and a server that causes network faults on demand. */
@NullMarked
package io.mortise.lock.tck.servers.proxy;

import org.jspecify.annotations.NullMarked;
