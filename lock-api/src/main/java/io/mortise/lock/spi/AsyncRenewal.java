// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spi;

import java.time.Duration;

/**
 * The renewal of one claim of a batch. Immutable.
 *
 * @param claim whose lease is renewed
 * @param lease how long the lease is to last, as with {@link Claim#renew}
 */
public record AsyncRenewal(AsyncClaim claim, Duration lease) {}
