// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import io.mortise.lock.LockConfigurationException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the password that a store URL does not contain but tells where to find: in a file, or in a variable of the environment. */
final class PasswordSource {
    static final String FILE = StoreUrl.OPTION_PREFIX + "passwordFile";
    static final String VARIABLE = StoreUrl.OPTION_PREFIX + "passwordEnv";

    /** The options that tell where the password is. */
    static final Set<String> OPTIONS = Set.of(FILE, VARIABLE);

    private static final Logger LOG = System.getLogger(PasswordSource.class.getName());

    private PasswordSource() {}

    /**
     * The URL with its password, without these options; the URL itself if nothing gives it a password.
     *
     * @param given a password of the application's, or null
     * @throws LockConfigurationException if there is no password where an option says, or there are two
     */
    static StoreUrl read(StoreUrl url, @Nullable String given) {
        List<String> sources = new ArrayList<>(url.options().keySet());
        sources.retainAll(OPTIONS);
        if (given != null) {
            sources.add("the application");
        }
        if (url.containsPassword() && !sources.isEmpty()) {
            sources.add("the URL itself");
        }
        if (sources.size() > 1) {
            throw new LockConfigurationException("two passwords for the store " + url + ": "
                    + String.join(" gives one, and ", sources) + " another; drop one");
        } else if (given != null) {
            return url.withPassword(given);
        } else if (url.option(FILE).isPresent()) {
            return url.withPassword(ofFile(url.option(FILE).get()));
        } else if (url.option(VARIABLE).isPresent()) {
            return url.withPassword(ofVariable(url.option(VARIABLE).get()));
        }
        return url;
    }

    private static String ofVariable(String name) {
        String value = System.getenv(name);
        if (value == null || value.isEmpty()) {
            throw new LockConfigurationException("the environment variable " + name + ", which " + VARIABLE
                    + " names, is " + (value == null ? "not set" : "empty"));
        }
        return value;
    }

    private static String ofFile(String name) {
        try (Stream<String> lines = Files.lines(Path.of(name))) {
            String first = lines.findFirst().orElse("");
            if (first.isEmpty()) {
                throw new LockConfigurationException(
                        "the first line of " + name + ", which " + FILE + " names, is empty; it must be the password");
            }
            warnIfOthersCanRead(Path.of(name));
            return first;
        } catch (UncheckedIOException unreadable) {
            throw unreadable(Objects.requireNonNull(unreadable.getCause()));
        } catch (IOException | InvalidPathException unreadable) {
            throw unreadable(unreadable);
        }
    }

    private static LockConfigurationException unreadable(Exception why) {
        return new LockConfigurationException("the file of " + FILE + " cannot be read: "
                + (why instanceof CharacterCodingException ? "it is no text in UTF-8" : why.toString()));
    }

    private static void warnIfOthersCanRead(Path file) throws IOException {
        PosixFileAttributeView posix = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (posix != null && posix.readAttributes().permissions().contains(PosixFilePermission.OTHERS_READ)) {
            LOG.log(Level.WARNING, "every user of this host can read the password in {0}; chmod o-r {0}", file);
        }
    }
}
