// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

/** The {@code mortise} command. */
public final class Main {
    private Main() {}

    /**
     * Starts the command.
     *
     * @param args what the user typed
     */
    public static void main(String[] args) {
        System.err.println("usage: mortise COMMAND");
        System.exit(64);
    }
}
