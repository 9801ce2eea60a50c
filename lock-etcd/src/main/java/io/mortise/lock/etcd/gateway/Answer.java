// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd.gateway;

/**
 * What a member answered to a request that it has executed.
 *
 * @param serverSeconds the member's own time, in seconds since 1970
 * @param termBefore a term of the consensus that the member had reached when it was asked, or 0 if none is known
 */
record Answer(Json body, long serverSeconds, long termBefore) {
    long revision() {
        return header().number("revision");
    }

    /** The term of the last change that the member had executed when it answered; 0 if it did not say. */
    long term() {
        return header().number("raft_term");
    }

    private Json header() {
        Json ofStream = body.object("result").object("header");
        return ofStream.values().isEmpty() ? body.object("header") : ofStream;
    }
}
