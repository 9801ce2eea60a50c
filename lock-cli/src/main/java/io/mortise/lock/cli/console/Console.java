// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.console;

/** What mortise says to the user, on standard error; {@link StandardOutput} is for answers. */
public final class Console {
    private Console() {}

    /** Writes a sentence for the user to standard error. */
    public static void say(String sentence) {
        System.err.print("mortise: " + sentence + "\n");
    }
}
