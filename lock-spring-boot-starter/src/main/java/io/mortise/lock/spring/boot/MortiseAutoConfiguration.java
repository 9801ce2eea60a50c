// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockClientBuilder;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockListener;
import io.mortise.lock.LockOptions;
import io.mortise.lock.micrometer.LockMetrics;
import io.mortise.lock.micrometer.LockObservations;
import io.mortise.lock.spring.LockDecorator;
import io.mortise.lock.spring.LockedMethods;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * Makes a {@link LockClient} of the store that {@code mortise.store} names, and lets methods with
 * {@link io.mortise.lock.spring.Locked} and {@link io.mortise.lock.spring.LockedJob} run under its locks. Steps back where the
 * application declares such a bean itself. Listeners ({@link LockListener}) and {@link LockClientCustomizer}s that are beans are used.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
@EnableConfigurationProperties(MortiseProperties.class)
public class MortiseAutoConfiguration {
    private static final System.Logger LOG = System.getLogger(MortiseAutoConfiguration.class.getName());

    @Bean
    @ConditionalOnMissingBean
    LockClient lockClient(
            MortiseProperties properties,
            ApplicationContext application,
            ObjectProvider<LockListener> listeners,
            ObjectProvider<LockClientCustomizer> customizers) {
        LockClientBuilder builder = new ConfiguredStore(properties, application).builder();
        listeners.orderedStream().forEach(builder::listener);
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        if (properties.callTimeout() != null) {
            builder.callTimeout(properties.callTimeout());
        }
        LockOptions options = options(properties);
        if (!options.equals(LockOptions.defaults())) {
            builder.options(options);
        }
        LockClient client = built(builder);
        LOG.log(System.Logger.Level.INFO, () -> "locks are in " + client);
        return client;
    }

    private static LockOptions options(MortiseProperties properties) {
        LockOptions options = LockOptions.defaults();
        if (properties.lease() != null) {
            options = options.withLease(properties.lease());
        }
        return properties.label() == null ? options : options.withLabel(properties.label());
    }

    private static LockClient built(LockClientBuilder builder) {
        try {
            return builder.build();
        } catch (LinkageError otherVersion) {
            throw new LockConfigurationException(
                    "the store's client library is of a version that lacks " + otherVersion.getMessage()
                            + "; let the build take the version that Mortise's module of the store asks for, instead of Spring Boot's",
                    otherVersion);
        }
    }

    @Bean
    @ConditionalOnMissingBean
    static LockedMethods lockedMethods(Environment environment) {
        LockedMethods methods = new LockedMethods();
        methods.setProxyTargetClass(environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true));
        return methods;
    }

    @Bean
    LockClientLifecycle lockClientLifecycle(LockClient client, MortiseProperties properties) {
        return new LockClientLifecycle(client, properties.shutdownGrace());
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({LockMetrics.class, MeterRegistry.class})
    @ConditionalOnBean(MeterRegistry.class)
    static class Meters {
        @Bean
        @ConditionalOnMissingBean
        LockMetrics lockMetrics(MeterRegistry registry) {
            return LockMetrics.of(registry);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({LockObservations.class, ObservationRegistry.class})
    @ConditionalOnBean(ObservationRegistry.class)
    static class Observations {
        @Bean
        @ConditionalOnMissingBean
        LockObservations lockObservations(ObservationRegistry registry) {
            return LockObservations.of(registry);
        }

        @Bean
        LockDecorator observingLocks(LockObservations observations) {
            return observations::observed;
        }
    }
}
