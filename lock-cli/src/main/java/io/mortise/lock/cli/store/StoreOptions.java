// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.store;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockClientBuilder;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.cli.console.ReadFailure;
import java.io.Console;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The command-line options that choose the store of a sub-command. */
public final class StoreOptions {
    /** How long a command of a moment waits for an answer: it may have started together with hundreds of others. */
    public static final Duration PATIENCE = Duration.ofSeconds(15);

    /** What the first line of a file must be that names a store. */
    static final String URL = "the URL of a store";

    private static final String DATABASE = "jdbc:";
    private static final String CREATE = "mortise.createSchema=";

    /** A database of this process alone: it is always missing, and leaves nothing behind. */
    private static final String OF_THIS_PROCESS = "jdbc:h2:mem:";

    @Option(
            names = "--store",
            paramLabel = "URL",
            description =
                    "The lock store, such as jdbc:sqlite:/var/lib/app/locks.db. Other users can see it in the list"
                            + " of processes: write no password into it but mortise.passwordFile=FILE or"
                            + " mortise.passwordEnv=NAME, or use --ask-password.")
    private @Nullable String store;

    @Option(
            names = "--store-file",
            paramLabel = "FILE",
            description = "A file whose first line is the URL of the store.")
    private @Nullable Path storeFile;

    @Option(
            names = "--ask-password",
            description = "Ask on the terminal for the password of the store, which its URL then does not contain.")
    private boolean askPassword;

    /**
     * The URL of the chosen store: the first that is given of {@code --store}, {@code --store-file}, {@code MORTISE_STORE} and the
     * configured file, else the default. A secret: it may hold a password.
     *
     * @throws LockConfigurationException if the URL is not all: with {@code --ask-password} only {@link #connect} will do
     */
    public String url() {
        if (askPassword) {
            throw new LockConfigurationException(
                    "--ask-password does not go with this command: its processes have no terminal;"
                            + " use mortise.passwordFile or mortise.passwordEnv in the URL");
        }
        return chosen();
    }

    /**
     * The URL that is an argument of the command; without one as {@link #url()}.
     *
     * @throws LockConfigurationException as {@link #url()}, or if there is an argument and an option
     */
    public String url(@Nullable String argument) {
        if (argument == null) {
            return url();
        }
        if (store != null || storeFile != null || askPassword) {
            throw new LockConfigurationException(
                    "the store is an argument already; drop --store, --store-file and" + " --ask-password");
        }
        return argument;
    }

    private String chosen() {
        return given().orElseGet(DefaultStore::url);
    }

    private Optional<String> given() {
        if (store != null && storeFile != null) {
            throw new LockConfigurationException("--store and --store-file exclude each other; drop one");
        }
        if (store != null) {
            return Optional.of(store);
        }
        if (storeFile != null) {
            return Optional.of(firstLine(storeFile, "the file of --store-file", URL));
        }
        return Optional.ofNullable(System.getenv("MORTISE_STORE"))
                .filter(url -> !url.isEmpty())
                .or(ConfiguredStore::url);
    }

    /**
     * The first line of a file, without blanks around it.
     *
     * @param described what the file is, for people
     * @param meant what the line must be, for people
     * @throws LockConfigurationException if the file cannot be read, or the line is empty
     */
    public static String firstLine(Path file, String described, String meant) {
        try (var lines = Files.lines(file)) {
            return lines.findFirst()
                    .map(String::trim)
                    .filter(line -> !line.isEmpty())
                    .orElseThrow(() -> new LockConfigurationException(
                            "the first line of " + file + " is empty; it must be " + meant));
        } catch (UncheckedIOException failure) {
            throw unreadable(described, file, Objects.requireNonNull(failure.getCause()));
        } catch (IOException failure) {
            throw unreadable(described, file, failure);
        }
    }

    private static LockConfigurationException unreadable(String described, Path file, IOException failure) {
        return new LockConfigurationException(
                described + " cannot be read: " + file + ": " + ReadFailure.reason(failure), failure);
    }

    /** Opens the chosen store; makes the file and the tables of one that keeps its locks in a database. */
    public LockClient connect() {
        return open(LockClient.builder(chosen()));
    }

    /** Opens the chosen store for questions, which make nothing: a path with a mistake in it is an error. */
    public LockClient connectToLook() {
        return open(LockClient.builder(given().map(StoreOptions::makingNothing).orElseGet(DefaultStore::urlToLook))
                .callTimeout(PATIENCE));
    }

    private LockClient open(LockClientBuilder builder) {
        return (askPassword ? builder.password(asked()) : builder).build();
    }

    private static String asked() {
        Console console = System.console();
        char[] password =
                console != null && isTerminal(console) ? console.readPassword("Password of the lock store: ") : null;
        if (password == null || password.length == 0) {
            throw new LockConfigurationException(
                    password == null
                            ? "--ask-password needs a terminal; without one, use mortise.passwordFile or mortise.passwordEnv"
                                    + " in the URL"
                            : "the password is empty");
        }
        return new String(password);
    }

    /** From Java 22 on there is a console without a terminal, too, and a method that tells. */
    private static boolean isTerminal(Console console) {
        try {
            return (Boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException before22) {
            return true;
        }
    }

    private static String makingNothing(String url) {
        boolean mayMake = beginsWith(url, DATABASE) && !beginsWith(url, OF_THIS_PROCESS) && !url.contains(CREATE);
        return mayMake ? url + ";" + CREATE + "false" : url;
    }

    private static boolean beginsWith(String url, String start) {
        return url.regionMatches(true, 0, start, 0, start.length());
    }
}
