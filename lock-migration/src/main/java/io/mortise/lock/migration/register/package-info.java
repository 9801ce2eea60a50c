// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** What the register says of a migration, and what a process knows of it. */
@NullMarked
package io.mortise.lock.migration.register;

import org.jspecify.annotations.NullMarked;
