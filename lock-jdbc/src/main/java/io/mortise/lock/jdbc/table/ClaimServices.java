// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.table;

import io.mortise.lock.jdbc.connection.DatabaseCalls;
import io.mortise.lock.jdbc.notification.Notifications;
import java.util.Optional;

/**
 * The database calls, the lock table, the notifications, the holder watch and the sweeper that all claims of one
 * client share. Thread-safe.
 *
 * @param calls makes their calls
 * @param table what a call does to a row
 * @param notifications tells them of releases
 * @param watch tells the ends of leases where no clock does
 * @param sweeper removes the rows that they leave
 */
public record ClaimServices(
        DatabaseCalls calls,
        LockTable table,
        Notifications notifications,
        Optional<HolderWatch> watch,
        Sweeper sweeper) {}
