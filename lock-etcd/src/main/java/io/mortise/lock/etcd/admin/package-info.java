// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** What is done with the locks of others: looking, revoking, and the register beside them. */
@NullMarked
package io.mortise.lock.etcd.admin;

import org.jspecify.annotations.NullMarked;
