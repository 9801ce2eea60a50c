// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * {@code mortise tck}: the conformance suite on a live store. {@link io.mortise.lock.cli.conformance.TckCommand} is the command,
 * {@link io.mortise.lock.cli.conformance.LiveStore} the test class that it runs.
 */
@NullMarked
package io.mortise.lock.cli.conformance;

import org.jspecify.annotations.NullMarked;
