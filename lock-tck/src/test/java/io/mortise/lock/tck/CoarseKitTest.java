// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import io.mortise.lock.spi.LockBackend;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The suite passes on a right lock that counts in whole seconds, keeps locks longer than promised, and has no feature. */
class CoarseKitTest extends LockBackendTck {
    @TempDir
    static Path directory;

    @Override
    public String store() {
        return "";
    }

    @Override
    public LockBackend open(String store) {
        return new FileBackend(directory, FileBackend.Kind.COARSE);
    }
}
