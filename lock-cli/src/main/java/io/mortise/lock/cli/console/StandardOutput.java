// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.console;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Standard output in UTF-8, whatever the locale. A writer does not throw, so this remembers the first failure: an answer that did
 * not arrive must not look as if it had.
 */
public final class StandardOutput {
    private final OutputStream stream;
    private final PrintWriter writer;
    private @Nullable IOException failure;

    /** The standard output of this process. */
    public StandardOutput() {
        this(new FileOutputStream(FileDescriptor.out));
    }

    StandardOutput(OutputStream stream) {
        this.stream = stream;
        this.writer = new PrintWriter(new OutputStreamWriter(new Remembering(), StandardCharsets.UTF_8));
    }

    /** What commands write to. Buffered; {@link #finish} writes the rest. */
    public PrintWriter writer() {
        return writer;
    }

    /**
     * Writes what is left, and returns the exit code of the process: {@code code}, unless that says that the answer is in the output
     * and it is not. A reader that has gone is not told of, as with other commands: it has read what it wanted.
     */
    public int finish(int code) {
        writer.flush();
        IOException unwritten = failure;
        if (unwritten == null) {
            return code;
        }
        boolean readerHasGone = readerHasGone(unwritten);
        if (!readerHasGone) {
            Console.say("standard output could not be written: " + unwritten.getMessage());
        }
        if (code != ExitCode.OK && code != ExitCode.NO) {
            return code;
        }
        return readerHasGone ? ExitCode.READER_GONE : ExitCode.NOT_WRITTEN;
    }

    /** The message is translated on some systems, and on others there is no {@code /proc}. */
    private static boolean readerHasGone(IOException unwritten) {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
            if (target.startsWith("pipe:") || target.startsWith("socket:")) {
                return true;
            }
        } catch (IOException notLinux) {
            // The message is what there is.
        }
        return String.valueOf(unwritten.getMessage()).contains("Broken pipe");
    }

    /** Passes on all that is written until something fails. */
    private final class Remembering extends OutputStream {
        @Override
        public void write(int single) {
            write(new byte[] {(byte) single}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            if (failure != null) {
                return;
            }
            try {
                stream.write(bytes, from, length);
            } catch (IOException first) {
                failure = first;
            }
        }
    }
}
