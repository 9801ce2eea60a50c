// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** What the command tells of itself beside {@code --help}: the completion of shells, and the manual page. */
@NullMarked
package io.mortise.lock.cli.help;

import org.jspecify.annotations.NullMarked;
