// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** How waiters learn of releases without asking. */
@NullMarked
package io.mortise.lock.jdbc.notification;

import org.jspecify.annotations.NullMarked;
