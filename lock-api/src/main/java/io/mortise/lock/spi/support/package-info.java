// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The workbench for backends: what most of them need and none should write again.
 *
 * <ul>
 *   <li>{@link io.mortise.lock.spi.support.CallDeadline}: the time of one call, and what an interrupt does to it;
 *   <li>{@link io.mortise.lock.spi.support.Moment}: the time of a lease or session, which goes on while the host is suspended;
 *   <li>{@link io.mortise.lock.spi.support.FailureClassifier}: how a call ended, told from what the driver threw;
 *   <li>{@link io.mortise.lock.spi.support.TlsRefusal} and {@link io.mortise.lock.spi.support.TlsProbe}: why a TLS connection
 *       did not come about, and whether a server wants one;
 *   <li>{@link io.mortise.lock.spi.support.DaemonExecutor}: threads that start when there is work and keep no JVM alive;
 *   <li>{@link io.mortise.lock.spi.support.RenewalBatch}: a batch of renewals in groups, with one answer for each claim;
 *   <li>{@link io.mortise.lock.spi.support.RememberedLoss}: why a claim does not hold any more;
 *   <li>{@link io.mortise.lock.spi.support.PollDelay}: growing pauses with jitter;
 *   <li>{@link io.mortise.lock.spi.support.HostAndPort}, {@link io.mortise.lock.spi.support.EscapedText},
 *       {@link io.mortise.lock.spi.support.Sha256}, {@link io.mortise.lock.spi.support.DurationText}: addresses, names and
 *       durations as text;
 *   <li>{@link io.mortise.lock.spi.support.ForwardingBackend} and {@link io.mortise.lock.spi.support.ForwardingClaim}: the
 *       base of wrappers.
 * </ul>
 *
 * <p>Nothing here is needed to write a backend; everything here may be used by one. The package depends on
 * {@code io.mortise.lock.spi} and on no client library.
 */
@NullMarked
package io.mortise.lock.spi.support;

import org.jspecify.annotations.NullMarked;
