// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Who holds which lock as a majority of the members tells it, and how a holder is revoked. */
@NullMarked
package io.mortise.lock.redlock.listing;

import org.jspecify.annotations.NullMarked;
