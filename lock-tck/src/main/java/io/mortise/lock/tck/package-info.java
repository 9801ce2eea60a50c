// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The conformance suite of backends. To adopt it, extend {@link io.mortise.lock.tck.LockBackendTck} in a test:
 *
 * <pre>{@code
 * class MyBackendTckTest extends LockBackendTck {
 *     @Override
 *     public String store() {
 *         return "my://localhost";
 *     }
 *
 *     @Override
 *     public LockBackend open(String store) {
 *         return MyBackend.connect(store);
 *     }
 * }
 * }</pre>
 *
 * <p>Each case proves a numbered rule of {@code docs/SPEC.md}. A failure tells the rule, its reason, and every question and
 * answer in order of time. A skipped case tells what would enable it: a feature that the backend does not declare, a fault
 * that the test class does not implement ({@link io.mortise.lock.tck.fault.Faults}), or a store that other processes can open. A
 * declared feature whose cases did not run fails the whole run.
 *
 * <p>The system property {@code mortise.tck.patience} multiplies all leases and limits, for slow machines. Classes of the
 * suite must not run in parallel in one JVM: after each case it checks that no thread of a client is left.
 */
@NullMarked
package io.mortise.lock.tck;

import org.jspecify.annotations.NullMarked;
