// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.mortise.lock.LockClient;
import io.mortise.lock.spi.LockBackendProvider;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a client says whose class path lacks a module or a driver: the artifact to add, for every store that there is. */
class MissingModulesTest {
    @Test
    void everySchemeOfEveryStoreNamesItsModule() throws Exception {
        List<LockBackendProvider> providers = ServiceLoader.load(LockBackendProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> !module(provider).equals("lock-api"))
                .toList();

        assertThat(providers).hasSizeGreaterThan(4);
        for (LockBackendProvider provider : providers) {
            for (String scheme : provider.schemes()) {
                assertThat(refusal(scheme + "://localhost", "lock-api"))
                        .startsWith("no lock store for the scheme '" + scheme + ":'")
                        .contains("; add io.mortise:" + module(provider) + " ");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:sqlite:/no/such/folder/locks.db, org.xerial:sqlite-jdbc",
        "jdbc:h2:mem:shop, com.h2database:h2",
        "jdbc:postgresql://localhost/shop, org.postgresql:postgresql",
        "jdbc:mariadb://localhost/shop, org.mariadb.jdbc:mariadb-java-client",
        "jdbc:mysql://localhost/shop, com.mysql:mysql-connector-j",
    })
    void everyDatabaseNamesItsDriver(String url, String driver) throws Exception {
        assertThat(refusal(url, "lock-api", "lock-jdbc", "jdbi3-core", "geantyref", "slf4j-api"))
                .startsWith("no JDBC driver for " + url + " ")
                .endsWith("; add " + driver);
    }

    /** What {@code LockClient.connect} says where there are only these jars. */
    private static String refusal(String url, String... jars) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader only = new URLClassLoader(urls(jars), ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(only);
            Method connect = only.loadClass(LockClient.class.getName()).getMethod("connect", String.class);
            Throwable thrown = catchThrowable(() -> connect.invoke(null, url)).getCause();
            return thrown == null ? "nothing thrown" : String.valueOf(thrown.getMessage());
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static URL[] urls(String... jars) {
        return Stream.of(jars).map(MissingModulesTest::url).toArray(URL[]::new);
    }

    private static URL url(String jar) {
        try {
            return ClassPath.jar(jar).toUri().toURL();
        } catch (MalformedURLException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The name of a provider's module, which is that of its directory. */
    private static String module(LockBackendProvider provider) {
        try {
            Path jar = Path.of(provider.getClass()
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return SourceTree.root().relativize(jar).getName(0).toString();
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
