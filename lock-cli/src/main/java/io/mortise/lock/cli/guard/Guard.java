// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.guard;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A guard process, ready to start and watch one command. Start it before the lock is taken, so that whatever is missing
 * shows while nothing is locked. Thread-safe but for {@link #run}, which is for one thread, once.
 */
public final class Guard implements AutoCloseable {
    /** Marks the environment of the command and its descendants. */
    private static final String MARK = "MORTISE_RUN";

    private final String perl;
    private final Process process;
    private final Wire wire;

    private Guard(String perl, Process process, Wire wire) {
        this.perl = perl;
        this.process = process;
        this.wire = wire;
    }

    /**
     * Starts a guard. It takes over this process's standard input and output, for the command.
     *
     * @return a guard that has said that it is able to do its work
     * @throws GuardException if this machine lacks something; the message says what
     */
    @SuppressWarnings("FutureReturnValueIgnored") // it gives up, or has nothing to give up any more
    public static Guard start() throws GuardException {
        String perl = Perl.find(System.getenv("PATH"));
        StandardStreams.check();
        try (Nest nest = new Nest()) {
            ProcessBuilder builder =
                    new ProcessBuilder(perl, "-t", nest.script.toString(), nest.socket.toString()).inheritIO();
            // Without it perl complains on the command's standard error about locales that are not installed.
            builder.environment().putIfAbsent(Task.LOCALE_COMPLAINTS, "0");
            Process process = builder.start();
            process.onExit().orTimeout(10, TimeUnit.SECONDS).whenComplete((ended, tooSlow) -> nest.giveUp());
            try {
                Wire wire = nest.accept();
                if ("ready".equals(wire.read())) {
                    StandardStreams.leave();
                    return new Guard(perl, process, wire);
                }
                wire.close();
            } catch (IOException refused) {
                // Said below, like a guard that calls and hangs up.
            }
            process.destroyForcibly();
            throw new GuardException("the guard of the command did not start with " + perl, null);
        } catch (IOException failure) {
            throw new GuardException("the guard of the command did not start: " + failure.getMessage(), failure);
        }
    }

    /**
     * Starts the command and waits until it and what it must not leave behind are gone.
     *
     * @param task the command
     * @param lease how long a lease lasts: the guard asks for its rest every twelfth of it, tells the command to end when
     *     a third is left, and kills it a tenth, at most a second, before the end
     * @param remaining answers how long the lease still lasts, zero if the lock is lost; must not block
     * @return how it ended
     */
    public Ending run(Task task, Duration lease, Supplier<Duration> remaining) {
        String mark = MARK + "=" + HexFormat.of().toHexDigits(new SecureRandom().nextLong());
        ProcessTree tree = new ProcessTree(process.pid(), mark);
        wire.write("run " + lease.toMillis() + task.encode(mark));
        try (SecondLine secondLine = new SecondLine(lease, remaining, tree, () -> Perl.thaw(perl, process.pid()))) {
            for (String line = wire.read(); line != null; line = wire.read()) {
                secondLine.heard();
                String[] words = line.split(" ");
                if (words[0].equals("ask")) {
                    wire.write("left " + words[1] + " " + remaining.get().toMillis());
                } else if (words[0].equals("end")) {
                    return Ending.parse(words);
                }
            }
        }
        while (tree.kill() > 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
        return Ending.unguarded();
    }

    /**
     * Passes a signal on to the process group of the command, if that runs.
     *
     * @param name such as {@code TERM}
     */
    public void signal(String name) {
        wire.write("signal " + name);
    }

    /** The lock is lost: kills the command. */
    public void lost() {
        wire.write("lost");
    }

    /** Lets the guard go. If a command still runs, it is ended first, as if this process had been killed. */
    @Override
    public void close() {
        try {
            wire.close();
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException alreadyGone) {
            // All that is wanted.
        } catch (InterruptedException hurry) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
