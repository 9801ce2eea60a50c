// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.process;

/**
 * The base of servers such as {@code RedisServer}: forwards the methods of {@link TestServer} to the process or
 * container behind it.
 */
public abstract class ForwardingServer implements TestServer {
    private final TestServer server;

    /**
     * Wraps a running server.
     *
     * @param server the process or container
     */
    protected ForwardingServer(TestServer server) {
        this.server = server;
    }

    @Override
    public String host() {
        return server.host();
    }

    @Override
    public int port() {
        return server.port();
    }

    @Override
    public void pause() {
        server.pause();
    }

    @Override
    public void resume() {
        server.resume();
    }

    @Override
    public void kill() {
        server.kill();
    }

    @Override
    public void stop() {
        server.stop();
    }

    @Override
    public void restart() {
        server.restart();
    }

    @Override
    public void restartEmpty() {
        server.restartEmpty();
    }

    @Override
    public boolean isRunning() {
        return server.isRunning();
    }

    @Override
    public String output() {
        return server.output();
    }

    @Override
    public void close() {
        server.close();
    }
}
