// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import io.mortise.lock.LockConfigurationException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The file of a SQLite database and the settings of its URL, read as the driver and SQLite read them: a plain path stands
 * for itself, and what begins with {@code file:} is a URI with percent escapes and perhaps {@code //localhost}. Every
 * spelling of one file becomes the same file. Immutable.
 *
 * @param file the absolute path, which may lead through links
 * @param settings what stands behind the question mark
 * @param isRelative whether the URL leaves it to the working directory which file that is
 */
public record SqliteUrl(Path file, String settings, boolean isRelative) {
    private static final String SCHEME = "jdbc:sqlite:";
    private static final String URI = "file:";
    private static final String LOCALHOST = "//localhost/";

    /** With them SQLite locks the file in no way, or in another way than other clients. */
    private static final Set<String> UNSAFE = Set.of("nolock", "immutable", "vfs");

    /**
     * Reads a URL; empty if it is that of another database.
     *
     * @throws LockConfigurationException if locks cannot work with that URL
     */
    public static Optional<SqliteUrl> of(String url) {
        if (!url.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Optional.empty();
        }
        String[] parts = url.substring(SCHEME.length()).split("\\?", 2);
        String settings = parts.length == 1 ? "" : parts[1];
        checkSettings(settings);
        String path = parts[0].startsWith(URI) ? pathOf(parts[0].substring(URI.length())) : parts[0];
        if (path.isEmpty() || path.equals(":memory:")) {
            throw inMemory();
        }
        if (path.startsWith(":")) {
            throw new LockConfigurationException("the driver copies " + path
                    + " into a file of each JVM, so no lock would exclude another JVM; name a file");
        }
        if (path.startsWith("~")) {
            throw new LockConfigurationException(
                    "SQLite takes ~ for a folder of that name; write the absolute path instead of " + path);
        }
        try {
            Path file = Path.of(path);
            return Optional.of(new SqliteUrl(file.toAbsolutePath(), settings, !file.isAbsolute()));
        } catch (InvalidPathException impossible) {
            throw new LockConfigurationException("the SQLite file " + path + " cannot be: " + impossible, impossible);
        }
    }

    /**
     * The URL for the driver. SQLite is told to make no file, because it would be readable by others. What the driver does
     * not know as a setting is no part of a file's name in this form.
     */
    String driverUrl() {
        String asItIs = SCHEME + URI + file.toUri().getRawPath() + "?" + settings;
        boolean saysHow = names(settings).anyMatch(name -> name.equals("mode") || name.equals("open_mode"));
        return saysHow ? asItIs : asItIs + (settings.isEmpty() ? "" : "&") + "mode=rw";
    }

    private static void checkSettings(String settings) {
        if (decoded(settings).contains("mode=memory")) {
            throw inMemory();
        }
        checkMode(settings);
        names(settings).filter(UNSAFE::contains).findFirst().ifPresent(unsafe -> {
            throw new LockConfigurationException(
                    "with the setting " + unsafe + " in its URL, SQLite does not lock the file"
                            + " as its other clients do, so no lock would exclude anybody; remove it");
        });
    }

    /** As a file whose permissions let nobody write it. */
    private static void checkMode(String settings) {
        for (String setting : settings.split("&")) {
            String plain = decoded(setting).toLowerCase(Locale.ROOT);
            if (plain.equals("mode=ro") || (plain.startsWith("open_mode=") && plain.matches(".*=\\d*[13579]"))) {
                throw new LockConfigurationException("with the setting " + plain
                        + " in its URL, the SQLite file may only be" + " read, and no lock be written; remove it");
            }
        }
    }

    private static Stream<String> names(String settings) {
        return Arrays.stream(settings.split("&"))
                .map(setting -> decoded(setting.split("=", 2)[0]).toLowerCase(Locale.ROOT));
    }

    private static LockConfigurationException inMemory() {
        return new LockConfigurationException("every connection to a SQLite database in memory has a database of its"
                + " own, so no lock would exclude anybody; name a file, or use memory:NAME");
    }

    private static String pathOf(String uri) {
        String place = uri.split("#", 2)[0];
        if (place.startsWith("//")) {
            boolean local = place.startsWith("///");
            if (!local && !place.startsWith(LOCALHOST)) {
                throw new LockConfigurationException(
                        "a SQLite file is on this machine, so its URI has no host but localhost: file:" + uri);
            }
            place = place.substring(local ? "//".length() : LOCALHOST.length() - 1);
        }
        return decoded(place);
    }

    /** As SQLite does it: a percent sign that no two hexadecimal digits follow stands for itself. */
    private static String decoded(String text) {
        byte[] coded = text.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream plain = new ByteArrayOutputStream(coded.length);
        for (int i = 0; i < coded.length; i++) {
            int high = i + 2 < coded.length ? Character.digit(coded[i + 1], 16) : -1;
            int low = i + 2 < coded.length ? Character.digit(coded[i + 2], 16) : -1;
            if (coded[i] == '%' && high >= 0 && low >= 0) {
                plain.write(high * 16 + low);
                i += 2;
            } else {
                plain.write(coded[i]);
            }
        }
        return plain.toString(StandardCharsets.UTF_8);
    }
}
