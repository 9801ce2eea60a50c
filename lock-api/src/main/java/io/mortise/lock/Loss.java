// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock;

/**
 * Tells why a lease was lost: the cause as a constant, and a sentence with the details. Immutable.
 *
 * @param cause the kind of loss
 * @param detail a sentence for people, such as the reason of a revocation
 */
public record Loss(LossCause cause, String detail) {
    /** The cause and the detail, for messages. */
    @Override
    public String toString() {
        return cause + ": " + detail;
    }
}
