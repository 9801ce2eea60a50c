// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** {@code mortise migrate}: moving a fleet from one store to another. */
@NullMarked
package io.mortise.lock.cli.migration;

import org.jspecify.annotations.NullMarked;
