// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.LockBackendProvider;
import io.mortise.lock.spi.SafetyLevel;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackendSelectionTest {
    /** A second provider of {@code memory:}. */
    public static final class Rival implements LockBackendProvider {
        @Override
        public Set<String> schemes() {
            return Set.of("memory");
        }

        @Override
        public LockBackend open(StoreUrl url) {
            return new MemoryBackend(new MemoryStore(Ticker.system()));
        }
    }

    /** Opens nothing, for a reason that the scheme names. */
    public static final class Unfit implements LockBackendProvider {
        @Override
        public Set<String> schemes() {
            return Set.of("illegal", "refusing", "silent", "driverless", "working", "quoting");
        }

        @Override
        public LockBackend open(StoreUrl url) {
            switch (url.scheme()) {
                case "illegal" -> throw new IllegalArgumentException("cannot open " + url.driverUrl());
                case "refusing" ->
                    throw BackendException.refused(
                            "the user of " + url.driverUrl() + " may not create the table", null);
                case "silent" -> throw new BackendException("no reply from " + url.driverUrl(), null);
                case "quoting" -> {
                    return new Quoting(url);
                }
                case "driverless" -> throw new NoClassDefFoundError("com/example/Driver");
                default -> {
                    return new MemoryBackend(new MemoryStore(Ticker.system()));
                }
            }
        }
    }

    /** Everything it says quotes the password, as drivers do. */
    private static final class Quoting extends ForwardingBackend {
        private final String quote;

        Quoting(StoreUrl url) {
            super(new MemoryBackend(new MemoryStore(Ticker.system())));
            quote = url.password().orElse("none");
        }

        @Override
        public Claim claim(ClaimRequest request, Runnable nudge) {
            return new ForwardingClaim(super.claim(request, nudge)) {
                @Override
                public boolean tryAcquire(Duration atMost) {
                    throw BackendException.refused("refused " + quote, failure());
                }
            };
        }

        @Override
        public List<LockHolder> list(String prefix, String after, int limit, Duration atMost) {
            throw new BackendException("no reply for " + quote, failure());
        }

        private Exception failure() {
            Exception failure = new IOException("at " + quote.toUpperCase(Locale.ROOT), new ArithmeticException(quote));
            failure.addSuppressed(new IllegalStateException(quote));
            return failure;
        }

        @Override
        public String toString() {
            return quote;
        }
    }

    /** Cannot be made. */
    public static final class FailsInItsConstructor implements LockBackendProvider {
        public FailsInItsConstructor() {
            throw new IllegalStateException("set up with jdbc:x://user:hunter2@host/x");
        }

        @Override
        public Set<String> schemes() {
            return Set.of("broken");
        }

        @Override
        public LockBackend open(StoreUrl url) {
            throw new AssertionError();
        }
    }

    /** Does not say what it opens. */
    public static final class FailsInSchemes implements LockBackendProvider {
        @Override
        public Set<String> schemes() {
            throw new NoClassDefFoundError("com/example/Schemes");
        }

        @Override
        public LockBackend open(StoreUrl url) {
            throw new AssertionError();
        }
    }

    @TempDir
    private Path services;

    @Test
    void theSameNameIsTheSameStore() throws Exception {
        try (LockClient one = LockClient.connect("memory:same");
                LockClient two = LockClient.connect("MEMORY:same");
                LockClient three = LockClient.connect("memory:another");
                Lease lease = one.lock("a").acquire()) {
            assertThat(lease.isHeld()).isTrue();
            assertThat(two.lock("a").tryAcquire()).isEmpty();
            assertThat(three.lock("a").tryAcquire()).isPresent();
        }
    }

    @Test
    void anUnknownSchemeListsTheKnownOnes() {
        assertThatThrownBy(() -> LockClient.connect("redis://user:hunter2@localhost"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("'redis:'")
                .hasMessageContaining("memory")
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void aUrlWithoutSchemeIsRefusedWithAnExample() {
        assertThatThrownBy(() -> LockClient.connect("localhost"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("redis://localhost:6379");
    }

    @Test
    void optionsApplyAndUnknownOnesAreRefused() {
        String url = "memory:options?mortise.lease=10s&mortise.renewal=false&mortise.label=cron%20job"
                + "&mortise.maxHold=PT1H&mortise.maxWait=5m&mortise.localHandOvers=3&mortise.callTimeout=500ms"
                + "&mortise.minHold=20s&mortise.lockDelay=15s&mortise.goOnWithoutAnswer=true"
                + "&mortise.require=fenced,FAIR&mortise.safety=single_store";
        try (LockClient locks = LockClient.connect(url)) {
            assertThat(locks.options())
                    .isEqualTo(LockOptions.defaults()
                            .withLease(Duration.ofSeconds(10))
                            .withRenewal(false)
                            .withLabel("cron job")
                            .withMaxHold(Duration.ofHours(1))
                            .withMaxWait(Duration.ofMinutes(5))
                            .withLocalHandOvers(3)
                            .withMinHold(Duration.ofSeconds(20))
                            .withLockDelay(Duration.ofSeconds(15))
                            .withGoOnWithoutAnswer(true));
        }
        assertThatThrownBy(() -> LockClient.connect("memory:x?mortise.leese=10s"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("mortise.leese")
                .hasMessageContaining("mortise.lease");
        assertThatThrownBy(() -> LockClient.connect("memory:x?color=red")).hasMessageContaining("color");
        assertThatThrownBy(() -> LockClient.connect("memory:x?mortise.lease=soon"))
                .hasMessageContaining("30s");
        assertThatThrownBy(() -> LockClient.connect("memory:x?mortise.require=FAST"))
                .hasMessageContaining("FENCED");
        assertThatThrownBy(() -> LockClient.connect("memory:x?mortise.safety=CONSENSUS"))
                .hasMessageContaining("SINGLE_STORE");
    }

    @Test
    void optionsOfTheUrlWinOverThoseOfTheBuilder() {
        try (LockClient locks = LockClient.builder("memory:merge?mortise.lease=10s")
                .options(LockOptions.defaults().withLease(Duration.ofSeconds(5)).withLabel("mine"))
                .build()) {
            assertThat(locks.options().lease()).isEqualTo(Duration.ofSeconds(10));
            assertThat(locks.options().label()).isEqualTo("mine");
        }
    }

    @Test
    void optionsOfTheUrlWinOverEachSettingOfTheBuilder() throws Exception {
        MemoryStore store = MemoryStore.named("merge-all");
        try (LockClient locks = LockClient.builder(
                        "memory:merge-all?mortise.callTimeout=200ms&mortise.safety=single_store&mortise.require=fair")
                .callTimeout(Duration.ofHours(1))
                .atLeast(SafetyLevel.CONSENSUS)
                .require(Feature.FENCED)
                .build()) {
            assertThat(locks.features()).contains(Feature.FENCED, Feature.FAIR);
            store.pause();
            assertThatThrownBy(() -> locks.lock("a").holder())
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("200 ms");
        } finally {
            store.resume();
        }
    }

    @Test
    void wrongOptionsOfTheUrlShowBeforeTheBuilderIsUsed() {
        for (String option : List.of("callTimeout=0s", "callTimeout=-1s", "safety=x", "require=x", "lease=x")) {
            assertThatThrownBy(() -> LockClient.builder("memory:x?mortise." + option))
                    .as(option)
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("mortise." + option.substring(0, option.indexOf('=')));
        }
    }

    @Test
    void twoProvidersOfOneSchemeAreRefused() throws Exception {
        withProviders(
                () -> assertThatThrownBy(() -> LockClient.connect("memory:x"))
                        .isInstanceOf(LockConfigurationException.class)
                        .hasMessageContaining("MemoryBackendProvider")
                        .hasMessageContaining("Rival"),
                Rival.class.getName());
    }

    @Test
    void whyAStoreDidNotOpenIsToldWithoutSecrets() throws Exception {
        withProviders(
                () -> {
                    assertThatThrownBy(() -> LockClient.connect("illegal://user:hunter2@host/x"))
                            .isInstanceOf(LockConfigurationException.class)
                            .hasMessageContaining("illegal://user:***@host***")
                            .hasMessageNotContaining("hunter2");
                    assertThatThrownBy(() -> LockClient.connect("refusing://user:hunter2@host/x"))
                            .isInstanceOf(LockConfigurationException.class)
                            .hasMessageContaining("may not create the table")
                            .hasMessageNotContaining("did not answer")
                            .hasMessageNotContaining("hunter2");
                    assertThatThrownBy(() -> LockClient.connect("silent://user:hunter2@host/x"))
                            .isInstanceOf(LockStoreException.class)
                            .hasMessageContaining("did not answer")
                            .hasMessageNotContaining("hunter2");
                    assertThatThrownBy(() -> LockClient.connect("driverless://host"))
                            .isInstanceOf(LockConfigurationException.class)
                            .hasMessageContaining("com/example/Driver");
                },
                Unfit.class.getName());
    }

    private static String trace(Throwable failure) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace, true));
        return trace.toString();
    }

    @Test
    void noExceptionOfAStoreShowsASecretInAnyOfItsCauses() throws Exception {
        withProviders(
                () -> {
                    try (LockClient locks = LockClient.connect("quoting://user:hunter2@host")) {
                        assertThatThrownBy(() -> locks.lock("a").tryAcquire())
                                .isInstanceOf(LockConfigurationException.class)
                                .hasMessageContaining("refused ***")
                                .satisfies(failure -> assertThat(trace(failure))
                                        .contains(
                                                "java.io.IOException: at ***",
                                                "java.lang.ArithmeticException: ***",
                                                "Quoting.failure")
                                        .doesNotContainIgnoringCase("hunter2"));
                        assertThatThrownBy(() -> locks.holders("").toList())
                                .isInstanceOf(LockStoreException.class)
                                .satisfies(failure -> assertThat(trace(failure)).doesNotContainIgnoringCase("hunter2"));
                    }
                    assertThatThrownBy(() -> LockClient.connect("silent://user:hunter2@host/x"))
                            .satisfies(failure -> assertThat(trace(failure)).doesNotContain("hunter2"));
                },
                Unfit.class.getName());
    }

    @Test
    void thePasswordIsReadFromWhereTheUrlSays() throws Exception {
        Path file = Files.writeString(services.resolve("password"), "hunter2 \r\nsecond line\n");
        Map.Entry<String, String> variable = System.getenv().entrySet().stream()
                .filter(entry -> entry.getValue().length() >= 4)
                .findFirst()
                .orElseThrow();
        withProviders(
                () -> {
                    assertRefusedWith("hunter2 ", LockClient.builder("illegal://u@h?mortise.passwordFile=" + file));
                    assertRefusedWith(
                            variable.getValue(),
                            LockClient.builder("illegal://u@h?mortise.passwordEnv=" + variable.getKey()));
                    assertRefusedWith(
                            "hunter2", LockClient.builder("illegal://u@h").password("hunter2"));
                },
                Asking.class.getName());
    }

    private static void assertRefusedWith(String password, LockClientBuilder builder) {
        assertThatThrownBy(builder::build).isInstanceOf(LockConfigurationException.class);
        assertThat(Asking.seen).contains(password);
    }

    /** Remembers the password that it gets, and refuses it. */
    public static final class Asking implements LockBackendProvider {
        private static volatile Optional<String> seen = Optional.empty();

        @Override
        public Set<String> schemes() {
            return Set.of("illegal");
        }

        @Override
        public LockBackend open(StoreUrl url) {
            seen = url.password();
            throw new IllegalArgumentException("refused");
        }
    }

    @Test
    void aPasswordThatIsNotWhereTheUrlSaysIsRefused() throws Exception {
        Path empty = Files.writeString(services.resolve("empty"), "\nhunter2");
        Path binary = Files.write(services.resolve("binary"), new byte[] {'h', (byte) 0xff, '\n'});
        assertRefused("memory:x?mortise.passwordFile=/no/such/file", "/no/such/file");
        assertRefused("memory:x?mortise.passwordFile=" + services, "Is a directory");
        assertRefused("memory:x?mortise.passwordFile=" + empty, "is empty");
        assertRefused("memory:x?mortise.passwordFile=" + binary, "UTF-8");
        assertRefused("memory:x?mortise.passwordEnv=MORTISE_NO_SUCH", "MORTISE_NO_SUCH");
        assertRefused("memory:x?mortise.passwordEnv=PATH&mortise.passwordFile=/x", "two passwords");
        assertRefused("redis://u:hunter2@h?mortise.passwordEnv=PATH", "two passwords");
        assertRefused("jdbc:h2:mem:x;PASSWORD=hunter2;mortise.passwordEnv=PATH", "two passwords");
        assertRefused("memory:x?mortise.passwordEnv=PATH", "has no password");
        assertThatThrownBy(() -> LockClient.builder("redis://u:hunter2@h")
                        .password("other")
                        .build())
                .hasMessageContaining("two passwords")
                .hasMessageNotContaining("hunter2");
    }

    private static void assertRefused(String url, String why) {
        assertThatThrownBy(() -> LockClient.connect(url))
                .as(url)
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining(why)
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void providersThatCannotBeLoadedBlockNoOtherStore() throws Exception {
        Path notAClass = Files.createDirectories(services.resolve("com/example"));
        Files.writeString(notAClass.resolve("NotAClass.class"), "not a class file");
        withProviders(
                () -> {
                    LockClient.connect("memory:x").close();
                    LockClient.connect("working:x").close();
                    assertThatThrownBy(() -> LockClient.connect("broken:x"))
                            .isInstanceOf(LockConfigurationException.class)
                            .hasMessageContaining("'broken:'")
                            .hasMessageContaining("memory")
                            .hasMessageContaining("com.example.Missing")
                            .hasMessageContaining("com/example/NotAClass")
                            .hasMessageContaining(FailsInItsConstructor.class.getName())
                            .hasMessageContaining(IllegalStateException.class.getName())
                            .hasMessageContaining(FailsInSchemes.class.getName())
                            .hasMessageContaining("com/example/Schemes")
                            .hasMessageNotContaining("hunter2")
                            .satisfies(thrown -> assertThat(thrown.getCause()).isNotNull());
                },
                "com.example.Missing",
                "com.example.NotAClass",
                FailsInItsConstructor.class.getName(),
                FailsInSchemes.class.getName(),
                Unfit.class.getName());
    }

    @Test
    void aListOfProvidersThatCannotBeReadBlocksNoStore() throws Exception {
        withProviders(
                () -> {
                    LockClient.connect("memory:x").close();
                    assertThatThrownBy(() -> LockClient.connect("working:x"))
                            .isInstanceOf(LockConfigurationException.class)
                            .hasMessageContaining("syntax");
                },
                "two names in one line",
                Unfit.class.getName());
        ClassLoader unreadable = new ClassLoader(getClass().getClassLoader()) {
            @Override
            public Enumeration<URL> getResources(String name) throws IOException {
                throw new IOException("the archive is gone");
            }
        };
        withContext(unreadable, () -> {
            LockClient.connect("memory:x").close();
            assertThatThrownBy(() -> LockClient.connect("broken:x"))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("locating configuration files");
        });
    }

    @Test
    void aSecondCopyOfTheLibraryBlocksNoStore() throws Exception {
        URL library = LockClient.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader copy = new URLClassLoader(new URL[] {library}, ClassLoader.getPlatformClassLoader())) {
            assertThat(copy.loadClass(LockClient.class.getName())).isNotSameAs(LockClient.class);
            withContext(copy, () -> {
                LockClient.connect("memory:x").close();
                assertThatThrownBy(() -> LockClient.connect("redis:x"))
                        .isInstanceOf(LockConfigurationException.class)
                        .hasMessageContaining("MemoryBackendProvider not a subtype");
            });
        }
    }

    private interface Body {
        void run() throws Exception;
    }

    /** Runs with providers that are registered beside those of the class path. */
    private void withProviders(Body body, String... names) throws Exception {
        Path file = services.resolve("META-INF/services/" + LockBackendProvider.class.getName());
        Files.createDirectories(file.getParent());
        Files.write(file, List.of(names));
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {services.toUri().toURL()}, getClass().getClassLoader())) {
            withContext(loader, body);
        }
    }

    private static void withContext(ClassLoader loader, Body body) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            body.run();
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
