// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Certificates for the servers of tests: right ones, and each kind that a client must refuse. */
@NullMarked
package io.mortise.lock.tck.servers.certificate;

import org.jspecify.annotations.NullMarked;
