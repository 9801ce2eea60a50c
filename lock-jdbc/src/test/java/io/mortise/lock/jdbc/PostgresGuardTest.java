// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import org.junit.jupiter.api.extension.RegisterExtension;

class PostgresGuardTest extends GuardContract {
    @RegisterExtension
    static final TestDatabase DATABASE = TestDatabase.fastPostgres();

    @Override
    String url() {
        return DATABASE.url();
    }
}
