// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import io.mortise.lock.spi.BackendException;
import java.nio.charset.StandardCharsets;

/**
 * What a server answered to a command.
 *
 * @param status zero for success
 * @param cas the version of the item, if there is one
 * @param body the value, or why not
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Reply(int status, long cas, byte[] body) {
    static final int OK = 0x00;
    static final int NOT_FOUND = 0x01;
    static final int EXISTS = 0x02;
    static final int NOT_STORED = 0x05;

    /** What a server says that is neither yes nor no: out of memory, too large, not authenticated. */
    BackendException refusal(String server) {
        String words = new String(body, StandardCharsets.UTF_8);
        return new BackendException(
                "memcached at " + server + " refused: " + (words.isBlank() ? "status " + status : words), null);
    }
}
