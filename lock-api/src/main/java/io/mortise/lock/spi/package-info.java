// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What backends implement. To write one, in order:
 *
 * <ol>
 *   <li>implement {@link io.mortise.lock.spi.Claim}: one attempt to get one lock, from the first try to the release;
 *   <li>implement {@link io.mortise.lock.spi.LockBackend}: a factory of claims that declares what the store can do;
 *   <li>implement {@link io.mortise.lock.spi.LockBackendProvider} and register it, in {@code module-info.java} and in
 *       {@code META-INF/services}, so that a URL finds it;
 *   <li>extend {@code LockBackendTck} of the module {@code lock-tck} in a test.
 * </ol>
 *
 * <p>The engine does the rest for every backend: waiting, renewal, loss, re-entrancy and the queue of one JVM. The rules that a
 * claim must keep are numbered in {@code docs/SPEC.md}; the Javadoc of {@link io.mortise.lock.spi.Claim} states them.
 *
 * <p>{@code io.mortise.lock.spi.support} has what most backends need besides. To change or watch a part of a backend, extend
 * {@link io.mortise.lock.spi.support.ForwardingBackend} and {@link io.mortise.lock.spi.support.ForwardingClaim}.
 *
 * <p>This package never refers to the engine, and a backend needs no other package than this one and the values of
 * {@link io.mortise.lock}.
 */
@NullMarked
package io.mortise.lock.spi;

import org.jspecify.annotations.NullMarked;
