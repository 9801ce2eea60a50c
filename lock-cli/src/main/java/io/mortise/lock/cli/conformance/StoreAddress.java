// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.conformance;

import io.mortise.lock.spi.BackendSelection;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Where the locks of one run of the suite are: a part of a live store. A secret: the URL may hold a password. Immutable.
 *
 * @param prefix what the names of all locks of the run begin with
 * @param jars files that have a backend which is not the command's own
 * @param url the store
 */
record StoreAddress(String prefix, List<Path> jars, String url) {
    /** Stores of one process; those of a child would be others. */
    private static final List<String> OF_ONE_PROCESS =
            List.of("memory:", "jdbc:h2:mem:", "jdbc:sqlite::memory:", "jdbc:sqlite:file::memory:");

    private static final String SEPARATOR = "\t";

    /** Reads what {@link #text()} wrote. */
    static StoreAddress parse(String text) {
        String[] parts = text.split(SEPARATOR, 3);
        return new StoreAddress(
                parts[0],
                Stream.of(parts[1].split(File.pathSeparator))
                        .filter(path -> !path.isEmpty())
                        .map(Path::of)
                        .toList(),
                parts[2]);
    }

    /** For another process of this host. */
    String text() {
        String paths = String.join(
                File.pathSeparator,
                jars.stream().map(jar -> jar.toAbsolutePath().toString()).toList());
        return String.join(SEPARATOR, prefix, paths, url);
    }

    boolean livesInOneProcess() {
        String lower = url.toLowerCase(Locale.ROOT);
        return OF_ONE_PROCESS.stream().anyMatch(lower::startsWith);
    }

    /** Lets this thread, and those that it starts, find the backends in the jars. */
    void useJars() {
        if (!jars.isEmpty()) {
            URL[] urls = jars.stream().map(StoreAddress::url).toArray(URL[]::new);
            ClassLoader parent = StoreAddress.class.getClassLoader();
            Thread.currentThread().setContextClassLoader(new URLClassLoader("jars", urls, parent));
        }
    }

    /** Opens a new client; options that clients read are known to be right, and no backend is to mind them. */
    LockBackend open() {
        StoreUrl parsed = StoreUrl.parse(url);
        LockBackend backend =
                BackendSelection.openForClient(parsed, null, parsed.options().keySet());
        return new PrefixedBackend(prefix, backend);
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** Without what may be secret. */
    @Override
    public String toString() {
        return "locks that begin with " + prefix;
    }
}
