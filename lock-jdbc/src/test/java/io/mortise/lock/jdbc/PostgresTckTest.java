// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostgresTckTest extends ServerWithRightsTck {
    @RegisterExtension
    static final TestDatabase DATABASE = TestDatabase.postgres(ServerStatements.POSTGRES_SETTING);

    @Override
    TestDatabase database() {
        return DATABASE;
    }

    @Override
    List<String> toMake(String user) {
        return List.of("create role " + user + " login", "grant all on schema public to " + user);
    }

    @Override
    String urlFor(String user, String url) {
        return url.replaceFirst("user=.*", "user=" + user);
    }

    @Override
    public long operations() {
        return ServerStatements.onPostgres(tables());
    }

    /** Waits until the sessions have ended. */
    @Override
    String killSessions(String user) {
        return "select count(pg_terminate_backend(pid, 10000)) from pg_stat_activity where usename = '" + user + "'";
    }
}
