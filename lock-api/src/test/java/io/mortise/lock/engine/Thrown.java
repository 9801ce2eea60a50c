// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** What is thrown into the engine on purpose, which then logs nothing any more. */
public enum Thrown {
    OUT_OF_MEMORY(() -> new OutOfMemoryError(Thrown.MESSAGE)),
    STACK_OVERFLOW(() -> new StackOverflowError(Thrown.MESSAGE)),
    NO_CLASS(() -> new NoClassDefFoundError(Thrown.MESSAGE)),
    /** The one that executors throw, of stores too. */
    REJECTED(() -> new RejectedExecutionException(Thrown.MESSAGE));

    public static final String MESSAGE = "injected";

    /** It logs what is thrown on purpose; held, so that the level is not forgotten. */
    private static final Logger ENGINE = Logger.getLogger("io.mortise.lock.engine");

    static {
        ENGINE.setLevel(Level.OFF);
    }

    @SuppressWarnings("ImmutableEnumChecker") // the lambdas have no state
    private final Supplier<Throwable> failure;

    Thrown(Supplier<Throwable> failure) {
        this.failure = failure;
    }

    /** Another one of its kind. */
    public Throwable make() {
        return failure.get();
    }

    /** Throws another one of its kind. */
    public void raise() {
        unchecked(failure.get());
    }

    /** Whether a throwable is one of its kind that was thrown on purpose. */
    public boolean is(@Nullable Throwable thrown) {
        return thrown != null && thrown.getClass() == failure.get().getClass() && MESSAGE.equals(thrown.getMessage());
    }

    public boolean isError() {
        return failure.get() instanceof Error;
    }

    /** Throws anything, also where the compiler does not expect it. */
    static void unchecked(Throwable failure) {
        Thrown.<RuntimeException>as(failure);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> void as(Throwable failure) throws E {
        throw (E) failure;
    }
}
