// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.process;

/**
 * The base of servers such as {@code RedisServer}: starts a process or container, and forwards the methods of {@link TestServer} to it.
 */
public abstract class ForwardingServer implements TestServer {
    private final TestServer server;

    /**
     * Starts the server, as {@link ServerLauncher#start} does.
     *
     * @param definition what to start
     * @throws ServerUnavailableException if there is no program, none can be fetched, and no Docker engine answers
     */
    protected ForwardingServer(ServerDefinition definition) {
        server = ServerLauncher.start(definition);
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
