// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What applications call. A {@link io.mortise.lock.LockClient} opens a store, which is the database or server that keeps the
 * locks. A {@link io.mortise.lock.DistributedLock} names a lock in it. A {@link io.mortise.lock.Lease} is a lock that was granted
 * for a limited time; the client renews it until it is closed.
 *
 * <pre>{@code
 * try (LockClient locks = LockClient.connect("jdbc:sqlite:/var/lib/app/locks.db");
 *         Lease lease = locks.lock("orders/42").acquire()) {
 *     ledger.charge(order, lease.fencingToken());
 * }
 * }</pre>
 *
 * <p>The page {@code docs/getting-started.md} leads through the first use.
 *
 * <p>What is promised, for every store:
 *
 * <ul>
 *   <li><b>Exclusion.</b> At any moment at most one lease of a name is valid, as long as the store keeps what it
 *       acknowledged (each backend declares how far it does: {@link io.mortise.lock.spi.SafetyLevel}).
 *   <li><b>Lease.</b> A lease ends by itself. {@link io.mortise.lock.Lease#isHeld()} is never true past that moment,
 *       needs no I/O, and once false stays false.
 *   <li><b>Losses are reported.</b> A holder learns that its lease is at risk before it ends, and why it was lost if it was.
 *   <li><b>Safe release.</b> Releasing a lease never frees anybody else's, however late it comes.
 *   <li><b>Tokens.</b> Where the backend is {@link io.mortise.lock.spi.Feature#FENCED}, every grant of a name carries a
 *       greater {@linkplain io.mortise.lock.Lease#fencingToken() fencing token} than all grants before it.
 *   <li><b>No answer is not "no".</b> A store that does not answer causes an exception, never a "busy".
 *   <li><b>Time</b> is the JVM's monotonic clock on this side and the store's own clock on the other. The wall clock of
 *       this host can only shorten a lease (a host that slept), never lengthen one.
 * </ul>
 *
 * <p>How a call ends is in the type of what the caller gets. A lock that others hold is an empty answer, or a
 * {@link io.mortise.lock.LockTimeoutException}; a store that refuses for good, a
 * {@link io.mortise.lock.LockConfigurationException}; no answer, a {@link io.mortise.lock.LockStoreException}; a closed client, a
 * {@link io.mortise.lock.LockClosedException}: if {@link io.mortise.lock.DistributedLock#run} itself threw it, the task has not
 * run. The task has run if {@code run} throws {@link io.mortise.lock.LockLostException} or
 * {@link io.mortise.lock.LockReleaseException}. A task that uses other locks must catch their exceptions: {@code run} passes them
 * on. The page {@code docs/how-calls-end.md} has a table of all calls.
 *
 * <p>What no lock service can promise: that a thread which held a lease a moment ago, and was paused since, does nothing
 * now. Where that matters, send the fencing token with each write and let the protected side refuse a lower one.
 */
@NullMarked
package io.mortise.lock;

import org.jspecify.annotations.NullMarked;
