// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationTextPublisher;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockOptions;
import io.mortise.lock.memory.MemoryBackend;
import io.mortise.lock.memory.MemoryStore;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spring.CurrentLease;
import io.mortise.lock.spring.Locked;
import io.mortise.lock.spring.LockedMethods;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.mock.env.MockEnvironment;

/** What the starter makes of properties and beans. */
class MortiseAutoConfigurationTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(MortiseAutoConfiguration.class, MortiseHealthAutoConfiguration.class));

    @Test
    void aStoreIsEnough() {
        application.withPropertyValues("mortise.store=memory:").run(context -> {
            assertThat(context).hasSingleBean(LockClient.class).hasSingleBean(LockedMethods.class);
            assertThat(context.getBean(LockClient.class).toString()).startsWith("LockClient[memory:");
            assertThat(context.getBean(LockClient.class).options()).isEqualTo(LockOptions.defaults());
        });
    }

    @Test
    void propertiesAreApplied() {
        application
                .withPropertyValues(
                        "mortise.store=memory:",
                        "mortise.lease=7s",
                        "mortise.call-timeout=300ms",
                        "mortise.label=the shop")
                .run(context -> assertThat(context.getBean(LockClient.class).options())
                        .isEqualTo(LockOptions.defaults()
                                .withLease(Duration.ofSeconds(7))
                                .withLabel("the shop")));
    }

    @Test
    void withoutAStoreTheStartSaysWhatToSet() {
        application.run(context -> assertThat(analysis(context).getDescription())
                .contains("set mortise.store")
                .contains("redis://localhost:6379"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mortise.store=rediss | must begin with a scheme",
                "mortise.store=nowhere://host | nowhere",
                "mortise.store=datasource | one bean of type DataSource",
                "mortise.store=curator | one bean of type CuratorFramework",
                "mortise.store=memory:,mortise.lease=0s | lease",
            })
    void whatCannotWorkIsSaid(String properties, String advice) {
        application.withPropertyValues(properties.split(",")).run(context -> assertThat(context.getStartupFailure())
                .isNotNull()
                .rootCause()
                .hasMessageContaining(advice));
    }

    private static FailureAnalysis analysis(AssertableApplicationContext context) {
        FailureAnalysis analysis =
                new ConfigurationFailureAnalyzer().analyze(Objects.requireNonNull(context.getStartupFailure()));
        return Objects.requireNonNull(analysis, "an analysis");
    }

    @Test
    void aModuleThatIsMissingIsNamed() {
        application
                .withPropertyValues("mortise.store=datasource")
                .withClassLoader(new FilteredClassLoader("io.mortise.lock.jdbc"))
                .withBean(DataSource.class, JdbcDataSource::new)
                .run(context -> assertThat(analysis(context).getDescription()).contains("add io.mortise:lock-jdbc"));
    }

    @Test
    void theDataSourceOfTheApplicationIsUsedAndStaysOpen() {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:boot-" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        application
                .withPropertyValues("mortise.store=datasource")
                .withBean(DataSource.class, () -> database)
                .run(context -> {
                    assertThat(context.getBean(LockClient.class).features()).contains(Feature.FENCED);
                    try (Lease lease =
                            context.getBean(LockClient.class).lock("a").acquire()) {
                        assertThat(lease.fencingToken()).isPositive();
                    }
                });
    }

    @Test
    void aPasswordIsReadFromAFileOfItsOwn(@TempDir Path secrets) throws IOException {
        Files.createDirectories(secrets.resolve("mortise"));
        Files.writeString(secrets.resolve("mortise/password"), "s3cret");
        application
                .withInitializer(new ConfigDataApplicationContextInitializer())
                .withPropertyValues(
                        "spring.config.import=configtree:" + secrets + "/", "mortise.store=redis://shop@localhost:1")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(MortiseProperties.class).password())
                            .isEqualTo("s3cret");
                    assertThat(context.getBean(MortiseProperties.class).toString())
                            .doesNotContain("s3cret");
                    assertThat(context.getBean(LockClient.class).toString()).doesNotContain("s3cret");
                });
    }

    @Test
    void aBackendOfTheApplicationIsUsed() {
        application
                .withBean(LockBackend.class, () -> new MemoryBackend(MemoryStore.named("boot-own")))
                .run(context ->
                        assertThat(context.getBean(LockClient.class).toString()).contains("MemoryBackend"));
        application
                .withBean(LockBackend.class, () -> new MemoryBackend(MemoryStore.named("boot-own")))
                .withPropertyValues("mortise.store=memory:")
                .run(context -> assertThat(analysis(context).getDescription()).contains("remove one of them"));
    }

    @Test
    void aClientOfTheApplicationIsUsed() {
        LockClient own = LockClient.connect("memory:boot-client");
        application.withBean(LockClient.class, () -> own).run(context -> assertThat(context.getBean(LockClient.class))
                .isSameAs(own));
    }

    @Test
    void customizersAreCalled() {
        application
                .withPropertyValues("mortise.store=memory:")
                .withBean(LockClientCustomizer.class, () -> builder -> builder.require(Feature.REVOCABLE))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void metersAreKeptWhereARegistryIs() {
        application
                .withPropertyValues("mortise.store=memory:")
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .run(context -> {
                    context.getBean(LockClient.class)
                            .lock("orders/42")
                            .acquire()
                            .close();
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    await().atMost(Duration.ofSeconds(60))
                            .until(() -> registry.find("mortise.lock.hold")
                                            .tag("lock", "orders/*")
                                            .timer()
                                    != null);
                });
    }

    @Test
    void methodsAreObservedWhereARegistryIs() {
        List<String> observed = new CopyOnWriteArrayList<>();
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(new ObservationTextPublisher(observed::add));
        application
                .withUserConfiguration(WithOrders.class)
                .withPropertyValues("mortise.store=memory:")
                .withBean(ObservationRegistry.class, () -> observations)
                .run(context -> context.getBean(Orders.class).pay(7));

        assertThat(observed)
                .anyMatch(text -> text.contains("STOP") && text.contains("mortise.lock.acquire"))
                .anyMatch(text -> text.contains("STOP") && text.contains("mortise.lock.hold"));
    }

    @Test
    void theEndWaitsForWork() throws Exception {
        MemoryStore store = MemoryStore.named("boot-end");
        AtomicReference<Boolean> held = new AtomicReference<>();
        Thread[] worker = new Thread[1];
        application.withBean(LockBackend.class, () -> new MemoryBackend(store)).run(context -> {
            LockClient client = context.getBean(LockClient.class);
            CountDownLatch begun = new CountDownLatch(1);
            worker[0] = new Thread(() -> work(client, begun, held));
            worker[0].start();
            begun.await();
        });
        worker[0].join(60_000);

        assertThat(held).hasValue(true);
    }

    /** Ends when the client has begun to close, which refuses new locks. */
    private static void work(LockClient client, CountDownLatch begun, AtomicReference<Boolean> held) {
        try (Lease lease = client.lock("work").acquire()) {
            begun.countDown();
            await().atMost(Duration.ofSeconds(60)).until(() -> isClosing(client));
            held.set(lease.isHeld());
        } catch (InterruptedException interrupted) {
            held.set(false);
        }
    }

    private static boolean isClosing(LockClient client) {
        try {
            client.lock("other").tryAcquire().ifPresent(Lease::close);
            return false;
        } catch (io.mortise.lock.LockClosedException closed) {
            return true;
        }
    }

    /** A bean whose class is final to JDK proxies, and which the starter must proxy. */
    @Configuration(proxyBeanMethods = false)
    static class WithOrders {
        @Bean
        Orders orders() {
            return new Orders();
        }
    }

    static class Orders {
        @Locked(name = "orders/#{#id}")
        String pay(int id) {
            return CurrentLease.get().lockName();
        }
    }

    @Test
    void methodsRunUnderLocks() {
        application
                .withUserConfiguration(WithOrders.class)
                .withPropertyValues("mortise.store=memory:")
                .run(context -> {
                    assertThat(AopUtils.isCglibProxy(context.getBean(Orders.class)))
                            .isTrue();
                    assertThat(context.getBean(Orders.class).pay(7)).isEqualTo("orders/7");
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "host=h | redis://h:6379/0 | -",
                "host=h,port=7000,database=3,password=p | redis://h:7000/3 | p",
                "host=::1,username=u:1,password=p,ssl.enabled=true | rediss://u%3A1@[::1]:6379/0 | p",
                "url=redis://u:p@h:1/2,password=ignored | redis://u:p@h:1/2 | -",
                "sentinel.master=m,sentinel.nodes[0]=a:1,sentinel.nodes[1]=b:2 | redis+sentinel://a:1,b:2/m/0 | -",
                "sentinel.master=m,sentinel.nodes[0]=a,sentinel.password=s&1,sentinel.username=w"
                        + " | redis+sentinel://a/m/0?sentinelPassword=s%261&sentinelUser=w | -",
                "cluster.nodes[0]=a:1,cluster.nodes[1]=b:2,ssl.enabled=true | rediss+cluster://a:1,b:2 | -",
            })
    void theRedisOfSpringIsAUrl(String properties, String url, String password) {
        MockEnvironment environment = new MockEnvironment();
        for (String property : properties.split(",")) {
            int end = property.indexOf('=');
            environment.setProperty("spring.data.redis." + property.substring(0, end), property.substring(end + 1));
        }
        SpringRedis redis = SpringRedis.of(environment);

        assertThat(redis.url()).isEqualTo(url);
        assertThat(redis.password()).isEqualTo(password);
    }

    @Test
    void certificatesOfSpringAreRefused() {
        Environment environment = new MockEnvironment().withProperty("spring.data.redis.ssl.bundle", "mine");

        org.assertj.core.api.Assertions.assertThatThrownBy(
                        () -> SpringRedis.of(environment).url())
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("rediss://");
    }

    @Test
    void metadataDescribesEachProperty() throws IOException {
        try (InputStream file = Objects.requireNonNull(
                getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json"))) {
            String metadata = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            List<String> described = Pattern.compile("\"name\": \"mortise\\.([a-z-]+)\",\\s+\"type\": \"([A-Za-z.]+)\"")
                    .matcher(metadata)
                    .results()
                    .map(match -> match.group(1) + " " + match.group(2))
                    .toList();

            assertThat(described)
                    .containsExactlyElementsOf(Arrays.stream(MortiseProperties.class.getRecordComponents())
                            .map(component ->
                                    kebab(component) + " " + component.getType().getName())
                            .toList());
        }
    }

    private static String kebab(RecordComponent component) {
        return component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT);
    }
}
