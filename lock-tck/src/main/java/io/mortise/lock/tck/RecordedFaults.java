// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import java.time.Duration;

/** The author's faults, noted in the history: what was promised before such a fault ends with it. */
record RecordedFaults(Faults faults, History history) implements Faults {
    @Override
    public void pauseStore() {
        faults.pauseStore();
        history.note("suite", "the store is frozen");
    }

    @Override
    public void resumeStore() {
        faults.resumeStore();
        history.note("suite", "the store goes on");
    }

    @Override
    public void expireNow(String lock) {
        history.fault(lock, "the lease is ended");
        faults.expireNow(lock);
    }

    @Override
    public void deleteBehindBack(String lock) {
        history.fault(lock, "the lock is deleted");
        faults.deleteBehindBack(lock);
        try {
            // Without its data a store has only its clock to make tokens rise by: let it move on.
            Pause.of(Duration.ofMillis(20));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
