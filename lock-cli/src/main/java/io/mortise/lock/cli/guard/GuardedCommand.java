// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.guard;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * A command that the guard process is to run. Immutable.
 *
 * @param command the program and its arguments, as bytes: they need not be text in any encoding
 * @param environment variables to add
 */
public record GuardedCommand(List<byte[]> command, Map<String, String> environment) {
    /** A variable that the guard is started with, and the command is not unless the user has set it. */
    static final String LOCALE_COMPLAINTS = "PERL_BADLANG";

    /** The words of the guard's {@code run} line, with one more {@code NAME=VALUE} for the environment. */
    String encode(String mark) {
        StringBuilder line = new StringBuilder();
        environment.forEach((name, value) -> append(line, name + "=" + value.replace("\0", "")));
        append(line, mark);
        if (System.getenv(LOCALE_COMPLAINTS) == null) {
            append(line, LOCALE_COMPLAINTS);
        }
        line.append(" --");
        command.forEach(word -> append(line, word));
        return line.toString();
    }

    private static void append(StringBuilder line, String word) {
        append(line, word.getBytes(StandardCharsets.UTF_8));
    }

    private static void append(StringBuilder line, byte[] word) {
        line.append(' ').append(HexFormat.of().formatHex(word));
    }
}
