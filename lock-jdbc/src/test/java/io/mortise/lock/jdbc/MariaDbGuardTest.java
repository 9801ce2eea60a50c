// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import org.junit.jupiter.api.extension.RegisterExtension;

class MariaDbGuardTest extends GuardContract {
    @RegisterExtension
    static final TestDatabase DATABASE = TestDatabase.fastMariaDb();

    @Override
    String url() {
        return DATABASE.url();
    }
}
