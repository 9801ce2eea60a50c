// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.stress;

import io.mortise.lock.engine.stress.Tally.Count;

/** Errors that are thrown on purpose. */
final class Injected {
    private static final String MARK = "injected by the stress";

    private Injected() {}

    /** Throws one of the errors that end programs that do not expect them. */
    static void error(Dice dice) {
        Tally.add(Count.ERRORS_INJECTED);
        switch (dice.below(4)) {
            case 0 -> throw new OutOfMemoryError(MARK);
            case 1 -> throw new StackOverflowError(MARK);
            case 2 -> throw new NoClassDefFoundError(MARK);
            default -> throw new IllegalStateException(MARK);
        }
    }

    /** Whether something was thrown on purpose, or because of the weather. */
    static boolean isExpected(Throwable thrown, Weather weather) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (MARK.equals(cause.getMessage())) {
                return true;
            }
            boolean isShort = cause instanceof OutOfMemoryError
                    || cause instanceof InternalError
                    || cause instanceof BootstrapMethodError
                    || cause instanceof NoClassDefFoundError
                    || cause instanceof ExceptionInInitializerError;
            if (isShort && weather.isShort()) {
                return true;
            }
        }
        return false;
    }
}
