// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.Lease;
import io.mortise.lock.LeaseCall;
import io.mortise.lock.LeaseTask;

/** A task that has nothing to answer, as one that answers true when it has run. */
record WithoutResult<E extends Exception>(LeaseTask<E> task) implements LeaseCall<Boolean, E> {
    @Override
    public Boolean call(Lease lease) throws E, InterruptedException {
        task.run(lease);
        return true;
    }
}
