// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.command;

import io.mortise.lock.cli.console.ExitCode;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes signals on to the command. Until the command runs, the first signal interrupts the thread that waits for the lock.
 * Signals that were ignored when mortise was started, as by nohup, stay ignored. QUIT is not passed on: the JVM uses it.
 */
@SuppressWarnings("sunapi") // nothing else in a JDK tells of signals; written out, for an import could not be annotated
final class SignalRelay {
    private static final List<String> NAMES = List.of("HUP", "INT", "TERM", "USR1", "USR2");

    private final Thread waiting = Thread.currentThread();
    private sun.misc.@Nullable Signal first;
    private @Nullable Consumer<String> target;

    private SignalRelay() {}

    /** Begins to receive signals; the calling thread is the one that waits for the lock. */
    static SignalRelay start() {
        SignalRelay relay = new SignalRelay();
        for (String name : NAMES) {
            try {
                sun.misc.Signal.handle(new sun.misc.Signal(name), relay::received);
            } catch (IllegalArgumentException theJvmKeepsIt) {
                // Its default action is as good as any.
            }
        }
        return relay;
    }

    private synchronized void received(sun.misc.Signal signal) {
        if (target != null) {
            target.accept(signal.getName());
        } else if (first == null) {
            first = signal;
            waiting.interrupt();
        }
    }

    /** The exit code if a signal came before the command ran, else 0. */
    synchronized int exitCode() {
        return first == null ? 0 : ExitCode.SIGNAL + first.getNumber();
    }

    /** Sends further signals there; false if one has come before. */
    synchronized boolean passTo(Consumer<String> receiver) {
        if (first != null) {
            return false;
        }
        target = receiver;
        return true;
    }
}
