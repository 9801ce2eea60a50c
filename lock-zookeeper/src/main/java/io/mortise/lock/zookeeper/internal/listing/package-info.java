// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Who holds which lock, for people. */
@NullMarked
package io.mortise.lock.zookeeper.internal.listing;

import org.jspecify.annotations.NullMarked;
