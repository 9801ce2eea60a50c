// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.guard;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Starts and controls the guard process, a supervisor that runs one command and kills it before its lock can go to
 * another holder. Start it before the lock is taken, so that whatever is missing shows while nothing is locked.
 * Thread-safe but for {@link #run}, which is for one thread, once.
 */
public final class Guard implements AutoCloseable {
    /** Marks the environment of the command and its descendants. */
    private static final String MARK = "MORTISE_RUN";

    /** A variable that the guard is started with, and the command is not unless the user has set it. */
    private static final String LOCALE_COMPLAINTS = "PERL_BADLANG";

    private final PerlInterpreter perl;
    private final Process process;
    private final GuardChannel channel;

    private Guard(PerlInterpreter perl, Process process, GuardChannel channel) {
        this.perl = perl;
        this.process = process;
        this.channel = channel;
    }

    /** Starts a guard, which says that it is able to do its work. It takes over this process's standard input and output, for the command. */
    @SuppressWarnings("FutureReturnValueIgnored") // it gives up, or has nothing to give up any more
    public static Guard start() throws GuardException {
        PerlInterpreter perl = PerlInterpreter.find();
        StandardStreams.check();
        try (GuardDirectory directory = new GuardDirectory()) {
            ProcessBuilder builder = new ProcessBuilder(
                            perl.path(), "-t", directory.script.toString(), directory.socket.toString())
                    .inheritIO();
            // Without it perl complains on the command's standard error about locales that are not installed.
            builder.environment().putIfAbsent(LOCALE_COMPLAINTS, "0");
            Process process = builder.start();
            process.onExit().orTimeout(10, TimeUnit.SECONDS).whenComplete((ended, tooSlow) -> directory.giveUp());
            try {
                GuardChannel channel = directory.accept();
                if ("ready".equals(channel.read())) {
                    StandardStreams.leave();
                    return new Guard(perl, process, channel);
                }
                channel.close();
            } catch (IOException refused) {
                // Reported below, like a guard that connects and ends.
            }
            process.destroyForcibly();
            throw new GuardException("the guard of the command did not start with " + perl.path(), null);
        } catch (IOException failure) {
            throw new GuardException("the guard of the command did not start: " + failure.getMessage(), failure);
        }
    }

    /**
     * Starts the command and waits until it and what it must not leave behind are gone.
     *
     * @param command the program and its arguments, as bytes: they need not be text in any encoding
     * @param environment variables to add
     * @param times when the guard asks for the rest of the lease, and when it ends the command
     * @param remaining answers how long the lease still lasts, zero if the lock is lost; must not block
     */
    public CommandOutcome run(
            List<byte[]> command, Map<String, String> environment, GuardTimes times, Supplier<Duration> remaining) {
        String mark = MARK + "=" + HexFormat.of().toHexDigits(new SecureRandom().nextLong());
        ProcessTree tree = new ProcessTree(process.pid(), mark);
        channel.write("run " + times.words() + encode(command, environment, mark));
        try (GuardWatchdog watchdog =
                new GuardWatchdog(times.lease(), remaining, tree, () -> perl.resume(process.pid()))) {
            for (String line = channel.read(); line != null; line = channel.read()) {
                watchdog.heard();
                String[] words = line.split(" ");
                if (words[0].equals("ask")) {
                    channel.write("left " + words[1] + " " + remaining.get().toMillis());
                } else if (words[0].equals("end")) {
                    return CommandOutcome.parse(words);
                }
            }
        }
        while (tree.kill() > 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
        return CommandOutcome.unguarded();
    }

    /** The words of the guard's {@code run} line, with one more {@code NAME=VALUE} for the environment. */
    private static String encode(List<byte[]> command, Map<String, String> environment, String mark) {
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

    /** Passes a signal, such as {@code TERM}, on to the process group of the command, if that runs. */
    public void signal(String name) {
        channel.write("signal " + name);
    }

    /** The lock is lost: kills the command. */
    public void lost() {
        channel.write("lost");
    }

    /** Ends the guard. If a command still runs, it is ended first, as if this process had been killed. */
    @Override
    public void close() {
        try {
            channel.close();
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException alreadyGone) {
            // It has ended.
        } catch (InterruptedException hurry) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
