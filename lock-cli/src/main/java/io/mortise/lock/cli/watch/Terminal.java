// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.watch;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The terminal that a table is drawn on, in a screen of its own, so that what was there before comes back. */
final class Terminal implements AutoCloseable {
    private static final String OTHER_SCREEN = "\u001b[?1049h\u001b[?25l";
    private static final String FIRST_SCREEN = "\u001b[?25h\u001b[?1049l";
    private static final String TOP_LEFT = "\u001b[H";
    private static final String END_OF_LINE = "\u001b[K\n";
    private static final String END_OF_SCREEN = "\u001b[J";

    private final PrintWriter out;

    /**
     * The size of a terminal.
     *
     * @param width in columns
     * @param height in lines
     */
    record Size(int width, int height) {
        static final Size USUAL = new Size(80, 24);
    }

    /** Begins to draw. The first screen comes back at the end, also if a signal ends the process. */
    Terminal(PrintWriter out) {
        this.out = out;
        out.print(OTHER_SCREEN);
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    }

    /** Whether standard output is a terminal, as test(1) says; false where there is no such command. */
    static boolean isThere() {
        try {
            Process test = new ProcessBuilder("test", "-t", "1").inheritIO().start();
            return test.waitFor() == 0;
        } catch (IOException notThere) {
            return false;
        } catch (InterruptedException signal) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The size now, as stty(1) says of the terminal of this process. */
    static Size size() {
        try {
            Process stty = new ProcessBuilder("sh", "-c", "stty size </dev/tty")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String[] size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                    .strip()
                    .split(" ");
            if (stty.waitFor(1, TimeUnit.SECONDS) && stty.exitValue() == 0 && size.length == 2) {
                Size told = new Size(Integer.parseInt(size[1]), Integer.parseInt(size[0]));
                return told.width() > 0 && told.height() > 0 ? told : Size.USUAL;
            }
        } catch (IOException | NumberFormatException notTold) {
            // The usual size is a good guess.
        } catch (InterruptedException signal) {
            Thread.currentThread().interrupt();
        }
        return Size.USUAL;
    }

    /** Draws over what was drawn before. */
    synchronized void draw(List<String> lines) {
        out.print(TOP_LEFT + String.join(END_OF_LINE, lines) + "\u001b[K" + END_OF_SCREEN);
        out.flush();
    }

    @Override
    public synchronized void close() {
        out.print(FIRST_SCREEN);
        out.flush();
    }
}
