// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring.boot;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code mortise.*} of an application.
 *
 * @param store where locks are: a store URL, such as {@code redis://cache:6379}; or {@code datasource}, {@code curator} or
 *     {@code redis} for the connections that the application has. Not needed if a bean of type {@code LockBackend} is declared
 * @param password the password of the store, for those who keep it apart from the URL
 * @param lease how long a grant lasts without renewal; by default as {@code LockOptions} says
 * @param callTimeout how long one request to the store may take; by default as {@code LockClientBuilder} says
 * @param label what tells people who look at the store who holds a lock; by default as {@code LockOptions} says
 * @param shutdownGrace how long the end of the application waits for work under locks, by default 30 seconds. Then the leases that are
 *     left are released
 */
@ConfigurationProperties("mortise")
public record MortiseProperties(
        @Nullable String store,
        @Nullable String password,
        @Nullable Duration lease,
        @Nullable Duration callTimeout,
        @Nullable String label,
        @DefaultValue("30s") Duration shutdownGrace) {
    /** Without the URL and the password: either may have a secret. */
    @Override
    public String toString() {
        return "MortiseProperties[lease=" + lease + ", callTimeout=" + callTimeout + ", label=" + label
                + ", shutdownGrace=" + shutdownGrace + "]";
    }
}
