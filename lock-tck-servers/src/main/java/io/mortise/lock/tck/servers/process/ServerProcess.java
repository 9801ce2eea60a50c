// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.process;

import io.mortise.lock.tck.servers.support.ClientSocket;
import io.mortise.lock.tck.servers.support.FreePort;
import io.mortise.lock.tck.servers.support.InterruptedWaitException;
import io.mortise.lock.tck.servers.support.Polling;
import io.mortise.lock.testing.ProcessSignals;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs a server as a process of this machine, in a directory of its own. */
final class ServerProcess implements TestServer {
    private static final String ADDRESS = "127.0.0.1";
    private static final int PROBE_LIMIT_MILLIS = 1_000;
    private static final int END_LIMIT_SECONDS = 10;

    /** Waits for a line before it becomes the server: if this JVM ends before the reaper knows the process, no line comes. */
    private static final String STARTER = "read -r go && exec \"$@\" </dev/null";

    private final ServerDefinition definition;
    private final ServerDirectory directory;
    private final ServerUser user;
    private final ServerProgram program;
    private final ServerLocation location;
    private Optional<Process> process = Optional.empty();
    private boolean paused;

    private ServerProcess(ServerDefinition definition, ServerProgram program) {
        this.definition = definition;
        user = ServerUser.forServer(definition.refusesRoot());
        directory = ServerDirectory.create(definition.program(), user);
        this.program = user.reaching(program, directory.path());
        location = new ServerLocation(
                ADDRESS,
                FreePort.pick(),
                directory.data().toString(),
                this.program.root().map(Path::toString).orElse(""));
    }

    static ServerProcess start(ServerDefinition definition, ServerProgram program) {
        for (int attempt = 1; ; attempt++) {
            ServerProcess server = new ServerProcess(definition, program);
            try {
                server.restartEmpty();
                return server;
            } catch (IllegalStateException | UncheckedIOException failure) {
                boolean lostItsPort = server.output().contains("Address already in use");
                server.close();
                if (!lostItsPort || attempt == 5) {
                    throw failure;
                }
            }
        }
    }

    @Override
    public String host() {
        return ADDRESS;
    }

    @Override
    public int port() {
        return location.port();
    }

    @Override
    public synchronized void pause() {
        Process running = process.orElseThrow(() -> new IllegalStateException("it does not run"));
        try {
            ProcessSignals.freeze(running);
        } catch (InterruptedException interrupt) {
            throw InterruptedWaitException.during("pausing " + definition.program());
        }
        paused = true;
    }

    @Override
    public synchronized void resume() {
        if (paused) {
            process.ifPresent(ProcessSignals::resume);
            paused = false;
        }
    }

    @Override
    public synchronized void kill() {
        process.ifPresent(running -> {
            List<ProcessHandle> children = running.descendants().toList();
            running.destroyForcibly();
            children.forEach(ProcessHandle::destroyForcibly);
            awaitEnd(running);
            Polling polling = new Polling(this::output);
            children.forEach(child -> polling.until("its children have ended", () -> ProcessSignals.hasEnded(child)));
        });
        process = Optional.empty();
        paused = false;
    }

    @Override
    public synchronized void stop() {
        resume();
        process.ifPresent(running -> {
            ProcessSignals.send(definition.stopSignal(), running.toHandle());
            awaitEnd(running);
        });
        kill();
    }

    @Override
    public synchronized void restart() {
        stop();
        launch();
    }

    @Override
    public synchronized void restartEmpty() {
        kill();
        try {
            directory.empty();
            definition.prepare(new ServerSetup(user, location, directory.path()));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        launch();
    }

    @Override
    public synchronized boolean isRunning() {
        return process.isPresent() && process.get().isAlive();
    }

    @Override
    public String output() {
        return directory.output();
    }

    @Override
    public synchronized void close() {
        stop();
        directory.remove();
    }

    private void launch() {
        List<String> command = new ArrayList<>(List.of("sh", "-c", STARTER, definition.program()));
        command.addAll(user.prefix());
        command.add(program.path().toString());
        command.addAll(definition.arguments(location));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.path().toFile())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(directory.log().toFile()));
        program.addLibraries(builder);
        builder.environment().putAll(definition.environment(location));
        try {
            Process started = builder.start();
            process = Optional.of(started);
            ServerReaper.register(started);
            try (OutputStream line = started.getOutputStream()) {
                line.write("go\n".getBytes(StandardCharsets.US_ASCII));
            }
            awaitAnswer(started);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupt) {
            throw InterruptedWaitException.during("starting " + definition.program());
        }
    }

    private void awaitAnswer(Process started) throws InterruptedException {
        long start = System.nanoTime();
        while (true) {
            String reason;
            try (Socket connection = ClientSocket.connect(ADDRESS, location.port(), PROBE_LIMIT_MILLIS)) {
                definition.probe(connection);
                return;
            } catch (IOException notYet) {
                reason = notYet.toString();
            }
            if (started.waitFor(5, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException(
                        definition.program() + " ended with status " + started.exitValue() + ": " + output());
            }
            if (System.nanoTime() - start > definition.startLimit().toNanos()) {
                throw new IllegalStateException(
                        definition.program() + " does not answer (" + reason + "): " + output());
            }
        }
    }

    private void awaitEnd(Process ending) {
        try {
            ending.waitFor(END_LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupt) {
            throw InterruptedWaitException.during("waiting for the end of " + definition.program());
        }
    }
}
