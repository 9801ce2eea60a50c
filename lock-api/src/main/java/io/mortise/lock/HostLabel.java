// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The default label: who and where this process is, found without asking the network. */
final class HostLabel {
    private HostLabel() {}

    static String value() {
        return System.getProperty("user.name", "?") + "@" + host() + "/"
                + ProcessHandle.current().pid();
    }

    private static String host() {
        String fromShell = System.getenv("HOSTNAME");
        if (fromShell != null && !fromShell.isBlank()) {
            return fromShell;
        }
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).trim();
        } catch (IOException noSuchFile) {
            String fromWindows = System.getenv("COMPUTERNAME");
            return fromWindows == null ? "localhost" : fromWindows;
        }
    }
}
