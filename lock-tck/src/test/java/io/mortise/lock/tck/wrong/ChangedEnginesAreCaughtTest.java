// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Engines that are wrong in one line are caught by the rule that the line keeps. */
class ChangedEnginesAreCaughtTest {
    static List<ChangedEngine> engines() {
        return ChangedEngine.ALL;
    }

    @ParameterizedTest
    @MethodSource("engines")
    void aChangedEngineFailsByItsRule(ChangedEngine engine, @TempDir Path directory)
            throws IOException, InterruptedException {
        engine.mustBeCaught(directory);
    }
}
