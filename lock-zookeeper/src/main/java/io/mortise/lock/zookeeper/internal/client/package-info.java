// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** What all claims of one backend share, and how it closes. */
@NullMarked
package io.mortise.lock.zookeeper.internal.client;

import org.jspecify.annotations.NullMarked;
