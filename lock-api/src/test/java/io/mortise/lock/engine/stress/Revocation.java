// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.stress;

/**
 * A revocation that frees a lock at once: until its holder learns of it, two clients may believe that they hold it.
 *
 * @param name the lock
 * @param client who revoked
 * @param begin when it was asked for
 * @param end when it was answered; never, if it was not
 */
record Revocation(int name, int client, long begin, long end) {}
