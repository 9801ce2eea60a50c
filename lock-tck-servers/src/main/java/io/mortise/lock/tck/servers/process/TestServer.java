// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.process;

/**
 * A real server that belongs to a test and listens on this machine alone. A test can freeze it, kill it, and restart it with or
 * without its data.
 *
 * <p>It is a process or a container and ends with the JVM at the latest, even if the JVM is ended by
 * {@code kill -9}. It leaves no file behind.
 *
 * <p>Every method blocks until what it says has happened. It throws {@link IllegalStateException}, with the server's output, if it does
 * not happen, or if the thread is interrupted meanwhile; the thread is then still marked as interrupted. Thread-safe; calls wait for
 * each other.
 */
public interface TestServer extends AutoCloseable {
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
