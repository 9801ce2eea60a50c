// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.process;

import io.mortise.lock.tck.servers.support.ClientSocket;
import io.mortise.lock.tck.servers.support.FreePort;
import io.mortise.lock.tck.servers.support.Polling;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.output.ToStringConsumer;
import org.testcontainers.containers.startupcheck.IsRunningStartupCheckStrategy;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;
import org.testcontainers.utility.DockerImageName;

/**
 * Runs a server in a Docker container. The engine freezes, kills and starts it; its port on this machine stays.
 */
final class ServerContainer implements TestServer {
    private static final String EVERYWHERE = "0.0.0.0";
    private static final int TAIL = 4096;
    private static final int PROBE_LIMIT_MILLIS = 1_000;

    private final ServerDefinition definition;
    private final GenericContainer<?> container;
    private final ToStringConsumer output = new ToStringConsumer();
    private final int port = FreePort.pick();
    private boolean paused;

    private ServerContainer(ServerDefinition definition, ServerImage image) {
        this.definition = definition;
        List<String> command = new ArrayList<>(List.of(definition.program()));
        command.addAll(definition.arguments(new ServerLocation(EVERYWHERE, image.port(), image.data(), "")));
        container = new GenericContainer<>(DockerImageName.parse(image.name()))
                .withCommand(command.toArray(String[]::new))
                .withLogConsumer(output)
                .withEnv(image.environment())
                .withStartupCheckStrategy(new IsRunningStartupCheckStrategy())
                .waitingFor(new ServerAnswers());
        container.setPortBindings(List.of(port + ":" + image.port()));
    }

    /** Whether a Docker engine answers. The first call takes about a second. */
    static boolean isPossible() {
        return DockerClientFactory.instance().isDockerAvailable();
    }

    static ServerContainer start(ServerDefinition definition, ServerImage image) {
        ServerContainer server = new ServerContainer(definition, image);
        try {
            server.restartEmpty();
            return server;
        } catch (IllegalStateException failure) {
            server.close();
            throw failure;
        }
    }

    @Override
    public String host() {
        return container.getHost();
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public synchronized void pause() {
        container.getDockerClient().pauseContainerCmd(id()).exec();
        paused = true;
    }

    @Override
    public synchronized void resume() {
        if (paused) {
            container.getDockerClient().unpauseContainerCmd(id()).exec();
            paused = false;
        }
    }

    @Override
    public synchronized void kill() {
        resume();
        if (isRunning()) {
            container.getDockerClient().killContainerCmd(id()).exec();
        }
    }

    @Override
    public synchronized void stop() {
        resume();
        if (isRunning()) {
            container.getDockerClient().stopContainerCmd(id()).exec();
        }
    }

    @Override
    public synchronized void restart() {
        stop();
        container.getDockerClient().startContainerCmd(id()).exec();
        new ServerAnswers().waitUntilReady(container);
    }

    @Override
    public synchronized void restartEmpty() {
        close();
        try {
            container.start();
        } catch (ContainerLaunchException failure) {
            throw new IllegalStateException(definition.program() + " did not start in Docker: " + output(), failure);
        }
    }

    @Override
    public boolean isRunning() {
        return id() != null && container.isRunning();
    }

    @Override
    public String output() {
        String all = output.toUtf8String();
        return all.substring(Math.max(0, all.length() - TAIL));
    }

    @Override
    public synchronized void close() {
        resume();
        container.stop();
    }

    private String id() {
        return container.getContainerId();
    }

    /** Waits until the server itself answers; an open port says nothing, for the engine opens it. */
    private final class ServerAnswers extends AbstractWaitStrategy {
        @Override
        protected void waitUntilReady() {
            // An engine on another machine does not tell when the server has started.
            new Polling(definition.startLimit(), ServerContainer.this::output)
                    .until(definition.program() + " answers", this::answers);
        }

        private boolean answers() throws IOException {
            try (Socket connection = ClientSocket.connect(host(), port, PROBE_LIMIT_MILLIS)) {
                definition.probe(connection);
                return true;
            }
        }
    }
}
