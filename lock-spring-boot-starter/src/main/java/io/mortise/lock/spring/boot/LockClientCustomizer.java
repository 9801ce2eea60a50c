// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring.boot;

import io.mortise.lock.LockClientBuilder;

/**
 * Changes the client that the starter is about to make, such as by {@link LockClientBuilder#require} or
 * {@link LockClientBuilder#executor}. Beans of this type are called in their order, before the properties are applied.
 */
@FunctionalInterface
public interface LockClientCustomizer {
    /**
     * Changes the builder. Must not call what a property sets, as a builder takes each setting once.
     *
     * @param builder the builder
     */
    void customize(LockClientBuilder builder);
}
