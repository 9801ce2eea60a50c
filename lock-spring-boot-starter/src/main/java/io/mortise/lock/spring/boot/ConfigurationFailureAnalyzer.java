// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring.boot;

import io.mortise.lock.LockConfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says in Spring Boot's words what is wrong with the configuration of locks, instead of a stack trace. */
final class ConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<LockConfigurationException> {
    @Override
    protected FailureAnalysis analyze(Throwable root, LockConfigurationException cause) {
        return new FailureAnalysis(
                "Locks cannot be used as they are configured: " + cause.getMessage(),
                "Change the configuration as the description says. The properties of locks begin with mortise.",
                cause);
    }
}
