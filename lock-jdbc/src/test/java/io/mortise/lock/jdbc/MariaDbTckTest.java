// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;

class MariaDbTckTest extends ServerWithRightsTck {
    @RegisterExtension
    static final TestDatabase DATABASE = TestDatabase.mariaDb();

    @Override
    TestDatabase database() {
        return DATABASE;
    }

    /** Rights to tables, which count at once: those to a whole database count for connections to come. */
    @Override
    List<String> toMake(String user) {
        return List.of(
                "create user " + user + "@'%' identified by '" + user + "'",
                "grant create, select, insert, update, delete on mortise_locks to " + user,
                "grant create, select, insert, update, delete on mortise_locks_grants to " + user);
    }

    @Override
    String urlFor(String user, String url) {
        return url.replaceFirst("user=.*", "user=" + user + "&password=" + user);
    }

    @Override
    public long operations() {
        return ServerStatements.onMariaDb(tables());
    }

    /** Shuts their sockets. */
    @Override
    String killSessions(String user) {
        return "kill user " + user;
    }
}
