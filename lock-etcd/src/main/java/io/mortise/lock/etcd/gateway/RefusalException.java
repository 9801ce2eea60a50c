// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd.gateway;

import java.io.IOException;

/** A member has answered that it did not execute a request. */
final class RefusalException extends IOException {
    private static final long serialVersionUID = 1L;

    static final int NOT_FOUND = 5;
    static final int UNAUTHENTICATED = 16;

    /** The number of the reason, as gRPC counts them; -1 if it was not etcd that answered. */
    private final int code;

    RefusalException(int code, String message) {
        super(message);
        this.code = code;
    }

    int code() {
        return code;
    }
}
