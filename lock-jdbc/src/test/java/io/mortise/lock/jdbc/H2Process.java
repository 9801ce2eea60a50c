// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.h2.tools.Server;

/** An H2 server in a JVM of its own, which can be frozen and restarted. It ends with the JVM that started it. */
final class H2Process implements AutoCloseable {
    private final Path folder;
    private Process process;
    private int port;

    private H2Process(Path folder) throws IOException {
        this.folder = folder;
        process = begin("0");
    }

    static H2Process start(Path folder) throws IOException {
        return new H2Process(folder);
    }

    /** The server's own JVM: prints its port, and ends when its standard input does. */
    public static void main(String[] args) throws Exception {
        Server server = Server.createTcpServer("-tcpPort", args[0], "-ifNotExists", "-baseDir", args[1])
                .start();
        System.out.println(server.getPort());
        System.in.transferTo(OutputStream.nullOutputStream());
        server.stop();
        System.exit(0);
    }

    String url() {
        return urlAt("127.0.0.1", port);
    }

    static String urlAt(String host, int port) {
        return "jdbc:h2:tcp://" + host + ":" + port + "/./locks";
    }

    int port() {
        return port;
    }

    void pause() {
        signal("-STOP");
    }

    void resume() {
        signal("-CONT");
    }

    /** In an orderly way, on the same port and with the same data. */
    void restart() {
        close();
        try {
            process = begin(String.valueOf(port));
        } catch (IOException failure) {
            throw new IllegalStateException("the server does not start again", failure);
        }
    }

    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (IOException endedAlready) {
            // as was wanted
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }

    private Process begin(String wantedPort) throws IOException {
        Process begun = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        H2Process.class.getName(),
                        wantedPort,
                        folder.toString())
                .redirectInput(Redirect.PIPE)
                .redirectError(Redirect.INHERIT)
                .start();
        BufferedReader output = begun.inputReader(StandardCharsets.UTF_8);
        port = Integer.parseInt(Objects.requireNonNull(output.readLine(), "the server has ended without a word"));
        return begun;
    }

    private void signal(String signal) {
        try {
            Process kill = new ProcessBuilder("kill", signal, String.valueOf(process.pid())).start();
            if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new IllegalStateException("kill " + signal + " does not work");
            }
        } catch (IOException failure) {
            throw new IllegalStateException("kill " + signal + " does not work", failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }
}
