// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import java.util.UUID;

class H2MemoryContractTest extends JdbcContract {
    private final String name = UUID.randomUUID().toString();

    @Override
    String url() {
        return "jdbc:h2:mem:" + name;
    }
}
