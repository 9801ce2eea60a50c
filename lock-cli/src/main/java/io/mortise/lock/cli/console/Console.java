// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.console;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The output of the command: answers go to standard output, everything else to standard error. */
public final class Console {
    private Console() {}

    /** Writes a sentence for the user to standard error. */
    public static void say(String sentence) {
        System.err.print("mortise: " + sentence + "\n");
    }

    /** Standard output in UTF-8, whatever the locale; close it. */
    public static PrintStream output() {
        return new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
    }
}
