// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** The queue of a lock: a key for each claim that holds or waits, in the order in which they were made. */
@NullMarked
package io.mortise.lock.etcd.queue;

import org.jspecify.annotations.NullMarked;
