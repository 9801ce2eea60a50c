// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.tck.Variant;

@Variant(of = H2ServerTckTest.class)
class H2MemoryTckTest extends JdbcTck {
    @Override
    public String store() {
        return "";
    }

    @Override
    public String tables() {
        return "jdbc:h2:mem:tck";
    }
}
