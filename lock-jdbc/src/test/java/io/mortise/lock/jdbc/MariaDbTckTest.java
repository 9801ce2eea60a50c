// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import org.junit.jupiter.api.extension.RegisterExtension;

class MariaDbTckTest extends ServerTck {
    @RegisterExtension
    static final TestDatabase DATABASE = TestDatabase.mariaDb();

    @Override
    TestDatabase database() {
        return DATABASE;
    }
}
