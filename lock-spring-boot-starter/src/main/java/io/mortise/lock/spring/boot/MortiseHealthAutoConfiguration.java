// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring.boot;

import io.mortise.lock.LockClient;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Tells the application's health endpoint, under the name {@code mortise}, whether the store answers;
 * {@code management.health.mortise.enabled} switches that off.
 */
@AutoConfiguration(after = MortiseAutoConfiguration.class)
@ConditionalOnBean(LockClient.class)
public class MortiseHealthAutoConfiguration {
    private static final String NAME = "mortiseHealthIndicator";

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = "org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator")
    @ConditionalOnEnabledHealthIndicator("mortise")
    static class OfSpringBoot3 {
        @Bean(NAME)
        @ConditionalOnMissingBean(name = NAME)
        HealthIndicator mortiseHealthIndicator(LockClient client) {
            return new StoreHealth(client).forSpringBoot3();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = "org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator")
    @org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator("mortise")
    static class OfSpringBoot4 {
        @Bean(NAME)
        @ConditionalOnMissingBean(name = NAME)
        org.springframework.boot.health.contributor.HealthIndicator mortiseHealthIndicator(LockClient client) {
            return new StoreHealth(client).forSpringBoot4();
        }
    }
}
