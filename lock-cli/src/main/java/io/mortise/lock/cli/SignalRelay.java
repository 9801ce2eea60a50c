// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What happens to the signals that mortise gets: until the command runs, the first one interrupts the thread that waits
 * for the lock; from then on all go to the command. Those that were ignored when mortise was started, as by nohup, stay
 * ignored. QUIT cannot be had: it is the JVM's own.
 */
@SuppressWarnings("sunapi") // nothing else in a JDK tells of signals; written out, for an import could not be annotated
final class SignalRelay {
    private static final List<String> NAMES = List.of("HUP", "INT", "TERM", "USR1", "USR2");

    private final Thread waiting = Thread.currentThread();
    private sun.misc.@Nullable Signal first;
    private @Nullable Consumer<String> target;

    private SignalRelay() {}

    /** Catches them, for the thread that calls. */
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

    /** The exit code if a signal has come before there was a target, else 0. */
    synchronized int exitCode() {
        return first == null ? 0 : ExitCode.SIGNAL + first.getNumber();
    }

    /** From now on signals go there, unless one has come before: then false. */
    synchronized boolean passTo(Consumer<String> receiver) {
        if (first != null) {
            return false;
        }
        target = receiver;
        return true;
    }
}
