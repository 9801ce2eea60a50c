// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Cases with a store that answers late or not at all (C, H and J of {@code docs/SPEC.md}). */
@NullMarked
package io.mortise.lock.tck.cases.network;

import org.jspecify.annotations.NullMarked;
