// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * A lease from the grant to the end: how long it lasts, its renewal, its loss, and the release of its claim, in the
 * background too.
 */
@NullMarked
package io.mortise.lock.engine.lease;

import org.jspecify.annotations.NullMarked;
