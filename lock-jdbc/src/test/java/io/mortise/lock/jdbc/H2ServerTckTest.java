// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import java.nio.file.Path;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class H2ServerTckTest extends ServerTck {
    @TempDir
    static Path folder;

    @RegisterExtension
    static final TestDatabase DATABASE = TestDatabase.h2(() -> folder);

    @Override
    TestDatabase database() {
        return DATABASE;
    }
}
