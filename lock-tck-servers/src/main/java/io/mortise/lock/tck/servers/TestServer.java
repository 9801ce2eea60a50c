// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

/**
 * A real server that belongs to a test, listening on this machine alone. It can be made to misbehave.
 *
 * <p>Where its program is here, or can be fetched, it is a process; else it is a container. Either ends with the JVM at the latest,
 * {@code kill -9} of the JVM included, and leaves no file behind.
 *
 * <p>Every method blocks until what it says has happened and throws {@link IllegalStateException} if it does not happen, with the
 * server's output; or if the thread is interrupted meanwhile, which stays interrupted. Thread-safe; calls wait for each other.
 */
public interface TestServer extends AutoCloseable {
    /**
     * Starts a server on a free port, with no data, and waits until it answers.
     *
     * <p>The system property {@code mortise.servers} set to {@code docker} asks for a container though the program is here, of all
     * servers that run in one.
     *
     * @param kind what to start
     * @return the running server
     * @throws ServerUnavailableException if there is no program, none can be fetched, and no Docker engine answers
     */
    static TestServer start(ServerKind kind) {
        return ServerSource.chosen().start(kind);
    }

    /**
     * Where it listens.
     *
     * @return a host name or an address
     */
    String host();

    /**
     * Where it listens.
     *
     * @return the same port as long as this object lives
     */
    int port();

    /** Freezes it: it keeps its connections, takes no more requests, and answers nothing (SIGSTOP). */
    void pause();

    /** Ends {@link #pause()}; harmless if it is not paused. */
    void resume();

    /** Ends it without a chance to clean up, as {@code kill -9} does. Harmless if it has ended. */
    void kill();

    /** Ends it in an orderly way, paused or not. Harmless if it has ended. */
    void stop();

    /** Starts it again on the same port, with what it had saved, after {@link #stop()} if it runs. */
    void restart();

    /** Starts it again on the same port, with nothing of what it had, after {@link #kill()} if it runs. */
    void restartEmpty();

    /**
     * Whether it runs; a paused one does.
     *
     * @return false after {@link #kill()}, {@link #stop()}, or if it ended by itself
     */
    boolean isRunning();

    /**
     * What it has written to its standard output and its standard error.
     *
     * @return the end of it, at most some thousands of characters
     */
    String output();

    /** Ends it and removes all it had. Harmless if repeated. */
    @Override
    void close();
}
