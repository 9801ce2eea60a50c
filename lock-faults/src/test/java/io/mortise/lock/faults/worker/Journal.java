// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.worker;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Writes what happens to a file, each line at once, so that a kill loses none that was written. Thread-safe. */
final class Journal {
    private final OutputStream file;

    Journal(String path) throws IOException {
        file = new FileOutputStream(path, true);
    }

    void add(String kind, Object... parts) {
        StringBuilder line = new StringBuilder(kind);
        for (Object part : parts) {
            line.append(' ').append(String.valueOf(part).replaceAll("\\s+", " / "));
        }
        byte[] bytes = line.append('\n').toString().getBytes(StandardCharsets.UTF_8);
        synchronized (file) {
            try {
                file.write(bytes);
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }
    }
}
