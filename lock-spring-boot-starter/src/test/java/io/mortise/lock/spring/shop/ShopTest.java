// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockEvent;
import io.mortise.lock.LockListener;
import io.mortise.lock.tck.servers.RedisServer;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Two instances of an application with the starter, on stores that it names in each of the ways. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShopTest {
    private static final int CALLERS = 4;
    private static final int CALLS = 25;

    private RedisServer redis;

    @BeforeAll
    void start() {
        redis = RedisServer.start();
    }

    @AfterAll
    void stop() {
        redis.close();
    }

    Stream<List<String>> stores() {
        URI server = URI.create(redis.url());
        return Stream.of(
                List.of("mortise.store=" + database()),
                List.of("mortise.store=datasource", "spring.datasource.url=" + database()),
                List.of("mortise.store=" + redis.url()),
                List.of(
                        "mortise.store=redis",
                        "spring.data.redis.host=" + server.getHost(),
                        "spring.data.redis.port=" + server.getPort(),
                        "spring.data.redis.database=1"));
    }

    private static String database() {
        return "jdbc:h2:mem:shop-" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    }

    private static ConfigurableApplicationContext start(List<String> properties, LockListener listener) {
        return new SpringApplicationBuilder(Shop.class)
                .web(WebApplicationType.NONE)
                .properties(properties.toArray(String[]::new))
                .properties("spring.main.banner-mode=off", "spring.main.log-startup-info=false")
                .initializers(context -> context.getBeanFactory().registerSingleton("counting", listener))
                .run();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void callsExcludeEachOtherAndOneRunsEachJob(List<String> properties) throws Exception {
        AtomicInteger skipped = new AtomicInteger();
        LockListener listener = new LockListener() {
            @Override
            public void timedOut(LockEvent event) {
                skipped.incrementAndGet();
            }
        };
        Orders.PAID.clear();
        int seconds = Reports.SECONDS.get();
        ExecutorService callers = Executors.newFixedThreadPool(2 * CALLERS);
        try (ConfigurableApplicationContext one = start(properties, listener);
                ConfigurableApplicationContext other = start(properties, listener)) {
            List<Future<?>> all = new ArrayList<>();
            for (ConfigurableApplicationContext instance : Arrays.asList(one, other)) {
                Orders orders = instance.getBean(Orders.class);
                for (int i = 0; i < CALLERS; i++) {
                    all.add(callers.submit(() -> {
                        for (int call = 0; call < CALLS; call++) {
                            orders.pay("42");
                        }
                    }));
                }
            }
            for (Future<?> calls : all) {
                calls.get(60, TimeUnit.SECONDS);
            }
            assertThat(Orders.PAID).containsEntry("42", 2 * CALLERS * CALLS);

            one.getBean(Reports.class).nightly();
            other.getBean(Reports.class).nightly();
            one.getBean(Reports.class).nightly();
            assertThat(one.getBean(Reports.class).nights()).isEqualTo(1);
            assertThat(other.getBean(Reports.class).nights()).isZero();

            await().atMost(Duration.ofMinutes(1))
                    .until(() -> Reports.SECONDS.get() - seconds >= 2 && skipped.get() >= 3);
            assertThat(one.getBean(LockClient.class).ping()).isPositive();
        } finally {
            callers.shutdownNow();
        }
    }
}
