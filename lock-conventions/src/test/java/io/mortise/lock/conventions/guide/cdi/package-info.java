// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/** What the page about CDI shows. */
package io.mortise.lock.conventions.guide.cdi;
