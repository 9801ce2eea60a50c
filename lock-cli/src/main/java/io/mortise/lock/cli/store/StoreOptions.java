// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.store;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockClientBuilder;
import io.mortise.lock.LockConfigurationException;
import java.io.Console;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The command-line options that choose the store of a sub-command. */
public final class StoreOptions {
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
     * The URL of the chosen store: the first that is given of {@code --store}, {@code --store-file} and {@code MORTISE_STORE}, else the
     * default. A secret: it may hold a password.
     *
     * @throws LockConfigurationException if the URL is not all: with {@code --ask-password} only {@link #connect} will do
     */
    public String url() {
        if (askPassword) {
            throw new LockConfigurationException(
                    "--ask-password does not go with a demo: its processes have no terminal;"
                            + " use mortise.passwordFile or mortise.passwordEnv in the URL");
        }
        return chosen();
    }

    private String chosen() {
        if (store != null && storeFile != null) {
            throw new LockConfigurationException("--store and --store-file exclude each other; drop one");
        }
        if (store != null) {
            return store;
        }
        if (storeFile != null) {
            return firstLine(storeFile);
        }
        String environment = System.getenv("MORTISE_STORE");
        if (environment != null && !environment.isEmpty()) {
            return environment;
        }
        try {
            return DefaultStore.url();
        } catch (IOException failure) {
            throw new LockConfigurationException(
                    "the default store " + DefaultStore.file() + " cannot be made (" + failure
                            + "); name another with --store",
                    failure);
        }
    }

    private static String firstLine(Path file) {
        try (var lines = Files.lines(file)) {
            return lines.findFirst()
                    .map(String::trim)
                    .filter(line -> !line.isEmpty())
                    .orElseThrow(() -> new LockConfigurationException(
                            "the first line of " + file + " is empty; it must be the URL of a store"));
        } catch (UncheckedIOException failure) {
            throw unreadable(String.valueOf(failure.getMessage()), failure);
        } catch (IOException failure) {
            throw unreadable(failure.toString(), failure);
        }
    }

    private static LockConfigurationException unreadable(String why, Exception failure) {
        return new LockConfigurationException("the file of --store-file cannot be read: " + why, failure);
    }

    /** Opens the chosen store. */
    public LockClient connect() {
        LockClientBuilder builder = LockClient.builder(chosen());
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
}
