// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import io.mortise.lock.LockClient;
import io.mortise.lock.cli.StoreUrls.Secretive;
import io.mortise.lock.spi.StoreUrl;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.slf4j.LoggerFactory;

/**
 * A process that opens the store of each of many URLs, uses it, and looks for the URL's secret in all that is then to be seen: exceptions with
 * their causes, names of clients and threads, logs, and the output of the command. Its logs are its own; see {@link SecretsTest}.
 */
public final class SecretsFuzz {
    /** PostgreSQL's driver logs its URL, from which only the password is taken, at the level FINE. */
    private static final Logger POSTGRES = Logger.getLogger("org.postgresql");

    private static final StringBuffer SEEN = new StringBuffer();

    private SecretsFuzz() {}

    /**
     * Ends with 1 if a secret was seen.
     *
     * @param args seed, number of URLs for clients, number of URLs for the command
     */
    public static void main(String[] args) {
        // The command closes standard output.
        PrintStream report = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> failure.printStackTrace(report));
        PrintStream captured = new PrintStream(
                new ByteArrayOutputStream() {
                    @Override
                    public synchronized void flush() {
                        SEEN.append(toString(StandardCharsets.UTF_8));
                        reset();
                    }
                },
                true,
                StandardCharsets.UTF_8);
        System.setOut(captured);
        System.setErr(captured);
        recordLogs();
        StoreUrls urls = new StoreUrls(Long.parseLong(args[0]));
        int leaks = 0;
        for (int i = 0; i < Integer.parseInt(args[1]) + Integer.parseInt(args[2]); i++) {
            Secretive url = urls.next();
            if (i < Integer.parseInt(args[1])) {
                connect(url.url());
            } else {
                Main.commandLine().execute("ls", i % 10 == 0 ? "--stroe=" + url.url() : "--store=" + url.url());
            }
            Thread.getAllStackTraces().keySet().forEach(thread -> SEEN.append(thread.getName())
                    .append('\n'));
            captured.flush();
            String seen = SEEN.toString();
            SEEN.setLength(0);
            if (url.isIn(seen)) {
                leaks++;
                report.println("LEAK of " + url.secret() + " in " + url.url() + ":\n" + seen);
            }
        }
        report.println("seed " + args[0] + ": " + args[1] + " URLs opened, " + args[2] + " given to the command, "
                + leaks + " leaks");
        System.exit(leaks == 0 ? 0 : 1);
    }

    private static void connect(String url) {
        try {
            SEEN.append(StoreUrl.parse(url)).append('\n');
            try (LockClient client =
                    LockClient.builder(url).callTimeout(Duration.ofMillis(50)).build()) {
                SEEN.append(client).append(client.lock("a")).append('\n');
                client.ping();
            }
        } catch (Exception | Error failure) {
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace, true));
            SEEN.append(failure).append('\n').append(trace);
        }
    }

    private static void recordLogs() {
        Logger root = Logger.getLogger("");
        for (Handler handler : root.getHandlers()) {
            root.removeHandler(handler);
        }
        root.addHandler(new Recorder());
        root.setLevel(Level.ALL);
        POSTGRES.setLevel(Level.INFO);
        if (!(LoggerFactory.getILoggerFactory() instanceof RecordedLogs)) {
            throw new IllegalStateException("slf4j logs to " + LoggerFactory.getILoggerFactory());
        }
        LoggerFactory.getLogger(SecretsFuzz.class).debug("slf4j is {}", "recorded");
        System.getLogger(SecretsFuzz.class.getName()).log(System.Logger.Level.DEBUG, "System.Logger is recorded");
        if (SEEN.indexOf("slf4j is recorded") < 0 || SEEN.indexOf("System.Logger is recorded") < 0) {
            throw new IllegalStateException("logs are not recorded");
        }
    }

    private static final class Recorder extends Handler {
        private final SimpleFormatter formatter = new SimpleFormatter();

        Recorder() {
            setLevel(Level.ALL);
        }

        @Override
        public void publish(LogRecord entry) {
            if (!entry.getLoggerName().startsWith("java.")
                    && !entry.getLoggerName().startsWith("jdk.")) {
                SEEN.append(formatter.format(entry));
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
