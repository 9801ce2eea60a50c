// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** How calls reach the database: where connections come from, and the threads and deadlines of calls. */
@NullMarked
package io.mortise.lock.jdbc.connection;

import org.jspecify.annotations.NullMarked;
