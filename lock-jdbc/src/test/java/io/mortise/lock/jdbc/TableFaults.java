// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.jdbc.sql.LockKey;
import io.mortise.lock.tck.fault.Faults;

/** What can be done to the tables of the locks behind the backend's back, by SQL of any database. */
interface TableFaults extends Faults {
    /** The database, for a connection beside the backend's. */
    String tables();

    @Override
    default void expireNow(String lock) {
        change("update mortise_locks set expires_us = acquired_us where lock_key = ?", lock);
    }

    @Override
    default void deleteBehindBack(String lock) {
        change("delete from mortise_locks where lock_key = ?", lock);
        if (!tables().startsWith("jdbc:sqlite:")) {
            change("delete from mortise_locks_grants where lock_key = ?", lock);
        }
    }

    /** Every row has an end; this one's is as far away as a number can say. */
    @Override
    default void writeWithoutEnd(String lock) {
        change(
                "insert into mortise_locks (lock_key, owner, label, fence, counter, version, acquired_us, expires_us,"
                        + " lease_us, left_us) values (?, 'a stranger', '', 1, 1, 1, 1, 9223372036854775807,"
                        + " 9223372036854775807, 0)",
                lock);
    }

    private void change(String sql, String lock) {
        try (Rows rows = new Rows(tables())) {
            rows.handle().execute(sql, LockKey.of(lock).key());
        }
    }
}
