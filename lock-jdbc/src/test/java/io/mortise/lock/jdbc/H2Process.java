// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.tck.servers.certificate.CertificateAuthority;
import io.mortise.lock.tck.servers.process.TestServer;
import io.mortise.lock.testing.ProcessSignals;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.h2.tools.Server;

/** An H2 server in a JVM of its own, which can be frozen and restarted. It ends with the JVM that started it. */
final class H2Process implements TestServer {
    private static final String KEY_STORE = "javax.net.ssl.keyStore";
    private static final String HOST = "127.0.0.1";

    private final Path folder;
    private final Optional<Path> keyStore;
    private Process process;
    private int port;

    private H2Process(Path folder, Optional<Path> keyStore) {
        this.folder = folder;
        this.keyStore = keyStore;
        process = begin("0");
    }

    static H2Process start(Path folder) {
        return new H2Process(folder, Optional.empty());
    }

    /** One that speaks TLS only, with the certificate in a key store. */
    static H2Process startWithTls(Path folder, Path keyStore) {
        return new H2Process(folder, Optional.of(keyStore));
    }

    /** The server's own JVM: prints its port, and ends when its standard input does. */
    public static void main(String[] args) throws Exception {
        List<String> options = new ArrayList<>(List.of("-tcpPort", args[0], "-ifNotExists", "-baseDir", args[1]));
        if (System.getProperty(KEY_STORE) != null) {
            options.add("-tcpSSL");
        }
        Server server = Server.createTcpServer(options.toArray(String[]::new)).start();
        System.out.println(server.getPort());
        System.in.transferTo(OutputStream.nullOutputStream());
        server.stop();
        System.exit(0);
    }

    String url() {
        return urlAt(HOST, port);
    }

    static String urlAt(String host, int port) {
        return "jdbc:h2:tcp://" + host + ":" + port + "/./locks";
    }

    @Override
    public String host() {
        return HOST;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void pause() {
        try {
            ProcessSignals.freeze(process);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }

    @Override
    public void resume() {
        ProcessSignals.resume(process);
    }

    @Override
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void stop() {
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

    /** On the same port and with the same data. */
    @Override
    public void restart() {
        stop();
        process = begin(String.valueOf(port));
    }

    @Override
    public void restartEmpty() {
        throw new UnsupportedOperationException("no test needs it");
    }

    @Override
    public boolean isRunning() {
        return process.isAlive();
    }

    /** Its errors are among those of the tests. */
    @Override
    public String output() {
        return "";
    }

    @Override
    public void close() {
        stop();
    }

    private Process begin(String wantedPort) {
        try {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1"));
            keyStore.ifPresent(file -> command.addAll(List.of(
                    "-D" + KEY_STORE + "=" + file, "-D" + KEY_STORE + "Password=" + CertificateAuthority.PASSWORD)));
            command.addAll(List.of(
                    "-cp",
                    System.getProperty("java.class.path"),
                    H2Process.class.getName(),
                    wantedPort,
                    folder.toString()));
            Process begun = new ProcessBuilder(command)
                    .redirectInput(Redirect.PIPE)
                    .redirectError(Redirect.INHERIT)
                    .start();
            BufferedReader output = begun.inputReader(StandardCharsets.UTF_8);
            port = Integer.parseInt(
                    Objects.requireNonNull(output.readLine(), "the server ended without telling its port"));
            return begun;
        } catch (IOException failure) {
            throw new IllegalStateException("the server does not start", failure);
        }
    }
}
