// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.proxy;

import java.nio.charset.StandardCharsets;

/**
 * Tells a proxy to lose one message: the next request that matches, or the reply to it.
 *
 * @param what the request or its reply
 * @param request a part of the matching request, in ISO 8859-1; empty for any request
 * @param then what becomes of the connection
 */
public record DropRule(What what, String request, Then then) {
    /** Which message is lost. */
    public enum What {
        /** The request: the server never receives it. */
        REQUEST,

        /** The reply: the server carries the request out, the client receives no answer. */
        REPLY
    }

    /** What becomes of the connection whose message was lost. */
    public enum Then {
        /** It is reset. */
        CLOSE,

        /** It stays open, but carries no more bytes in either direction. */
        HANG
    }

    /** Whether a request matches. Requests are short: one that TCP splits between two packets is not found. */
    boolean matches(byte[] bytes, int length) {
        return request.isEmpty() || new String(bytes, 0, length, StandardCharsets.ISO_8859_1).contains(request);
    }
}
