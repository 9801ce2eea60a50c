// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Live views of a store: {@code mortise top} in a terminal, and {@code mortise serve} in a browser. Both only look. */
@NullMarked
package io.mortise.lock.cli.watch;

import org.jspecify.annotations.NullMarked;
