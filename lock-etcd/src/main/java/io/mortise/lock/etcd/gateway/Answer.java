// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd.gateway;

import java.util.Map;

/**
 * What a member answered to a request that it has executed.
 *
 * @param serverSeconds the member's own time, in seconds since 1970
 * @param termsBefore the terms of the consensus that members were known to have reached when it was asked, by their numbers
 */
record Answer(Json body, long serverSeconds, Map<String, Long> termsBefore) {
    long revision() {
        return header().number("revision");
    }

    /** The term of the last change that the member had executed when it answered; 0 if it did not say. */
    long term() {
        return header().number("raft_term");
    }

    /** The number of the member. */
    String member() {
        return header().text("member_id");
    }

    /** A term that the member had reached when it was asked; 0 if none is known. */
    long memberTermBefore() {
        return termsBefore.getOrDefault(member(), 0L);
    }

    private Json header() {
        Json ofStream = body.object("result").object("header");
        return ofStream.values().isEmpty() ? body.object("header") : ofStream;
    }
}
