// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import java.nio.charset.StandardCharsets;

/**
 * A message for a proxy to lose.
 *
 * @param what the request or its reply
 * @param request a part of the request that is meant, in ISO 8859-1; empty for any request
 * @param then what becomes of the connection
 */
public record Drop(What what, String request, Then then) {
    /** What is lost. */
    public enum What {
        /** The request: the server never hears of it. */
        REQUEST,

        /** The reply: the server obeys, the client does not hear of it. */
        REPLY
    }

    /** What becomes of the connection whose message was lost. */
    public enum Then {
        /** It is reset. */
        CLOSE,

        /** It stays open, and not a byte comes through it any more, in either direction. */
        SILENCE
    }

    /** Whether it is meant. Requests are short: one that TCP splits between two packets is not found. */
    boolean matches(byte[] bytes, int length) {
        return request.isEmpty() || new String(bytes, 0, length, StandardCharsets.ISO_8859_1).contains(request);
    }
}
