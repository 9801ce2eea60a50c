// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.store;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
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
                            + " of processes: put a password into --store-file or MORTISE_STORE.")
    private @Nullable String store;

    @Option(
            names = "--store-file",
            paramLabel = "FILE",
            description = "A file whose first line is the URL of the store.")
    private @Nullable Path storeFile;

    /**
     * The URL of the chosen store: the first that is given of {@code --store}, {@code --store-file} and {@code MORTISE_STORE}, else the
     * default. A secret: it may hold a password.
     */
    public String url() {
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
        return LockClient.connect(url());
    }
}
