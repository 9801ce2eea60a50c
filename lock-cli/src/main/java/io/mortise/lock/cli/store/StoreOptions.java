// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.store;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
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
     * The URL of the chosen store: the first that is given of {@code --store}, {@code --store-file}, {@code MORTISE_STORE} and the
     * configured file, else the default. A secret: it may hold a password.
     */
    public String url() {
        if (store != null && storeFile != null) {
            throw new LockConfigurationException("--store and --store-file exclude each other; drop one");
        }
        if (store != null) {
            return store;
        }
        if (storeFile != null) {
            return firstLine(storeFile, "the file of --store-file");
        }
        String environment = System.getenv("MORTISE_STORE");
        if (environment != null && !environment.isEmpty()) {
            return environment;
        }
        Optional<String> configured = ConfiguredStore.url();
        if (configured.isPresent()) {
            return configured.get();
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

    static String firstLine(Path file, String described) {
        try (var lines = Files.lines(file)) {
            return lines.findFirst()
                    .map(String::trim)
                    .filter(line -> !line.isEmpty())
                    .orElseThrow(() -> new LockConfigurationException(
                            "the first line of " + file + " is empty; it must be the URL of a store"));
        } catch (UncheckedIOException failure) {
            throw unreadable(described, file, failure.getCause());
        } catch (IOException failure) {
            throw unreadable(described, file, failure);
        }
    }

    private static LockConfigurationException unreadable(String described, Path file, IOException failure) {
        return new LockConfigurationException(described + " cannot be read: " + file + ": " + why(failure), failure);
    }

    /** The messages of these exceptions name the file at most. */
    private static String why(IOException failure) {
        if (failure instanceof CharacterCodingException) {
            return "it is not text in UTF-8";
        }
        if (failure instanceof NoSuchFileException) {
            return "there is no such file";
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        String reason = failure instanceof FileSystemException told ? told.getReason() : failure.getMessage();
        return String.valueOf(reason);
    }

    /** Opens the chosen store. */
    public LockClient connect() {
        return LockClient.connect(url());
    }
}
