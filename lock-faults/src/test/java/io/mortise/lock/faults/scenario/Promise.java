// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.faults.scenario;

/**
 * What the page of a store does not promise while a fault lasts, and for a lease after it.
 *
 * @param reason what the page says
 * @param overlaps whether two clients may hold a lock at once
 * @param tokens whether tokens may fail to rise
 */
public record Promise(String reason, boolean overlaps, boolean tokens) {}
