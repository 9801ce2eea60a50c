// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** Requests to etcd's HTTP gateway: which member is asked, how requests and answers are written, and what failures mean. */
@NullMarked
package io.mortise.lock.etcd.gateway;

import org.jspecify.annotations.NullMarked;
