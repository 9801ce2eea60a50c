// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redlock;

import static io.mortise.lock.redlock.Stores.AMPLE;

import io.mortise.lock.spi.LockBackend;
import java.util.List;

/** P5, P7, P9 without tokens: here only the check of time can refuse a late round. */
class QuorumWithoutTokensTest implements QuorumCases {
    @Override
    public LockBackend quorum(List<LockBackend> members) {
        return Stores.ours(RedlockBackend.builder().memberTimeout(AMPLE).fencing(false), members);
    }
}
