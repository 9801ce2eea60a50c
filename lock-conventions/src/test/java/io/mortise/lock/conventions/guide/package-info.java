// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The Java examples of the pages in {@code docs/}: a class for each page, which runs them where they can run. */
@NullMarked
package io.mortise.lock.conventions.guide;

import org.jspecify.annotations.NullMarked;
