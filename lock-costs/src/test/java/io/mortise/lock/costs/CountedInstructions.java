// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.costs;

import java.util.concurrent.atomic.LongAdder;

/** How many instructions of bytecode the classes have executed that a {@link CountingClassLoader} has loaded. Thread-safe. */
public final class CountedInstructions {
    private static final LongAdder COUNT = new LongAdder();

    private CountedInstructions() {}

    /** Called by those classes. */
    public static void add(int count) {
        COUNT.add(count);
    }

    static long soFar() {
        return COUNT.sum();
    }
}
