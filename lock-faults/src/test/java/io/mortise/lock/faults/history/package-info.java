// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** What the processes of a run have told, and which faults there were. */
@NullMarked
package io.mortise.lock.faults.history;

import org.jspecify.annotations.NullMarked;
