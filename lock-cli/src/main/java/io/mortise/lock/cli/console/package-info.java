// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The arguments that the command gets, the text and JSON that it prints, and its exit codes. */
@NullMarked
package io.mortise.lock.cli.console;

import org.jspecify.annotations.NullMarked;
