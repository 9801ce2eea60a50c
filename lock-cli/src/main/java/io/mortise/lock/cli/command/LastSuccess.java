// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.command;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockException;
import io.mortise.lock.LockHolder;
import io.mortise.lock.LockOptions;
import io.mortise.lock.LockReleaseException;
import io.mortise.lock.cli.console.Console;
import io.mortise.lock.cli.console.Printable;
import java.time.Duration;
import java.util.Optional;

/**
 * The record that a job has succeeded: a second lock, named after that of the job, that the store keeps for a time after each
 * success. Read and written only while the lock of the job is held, so no two processes do it at once.
 */
final class LastSuccess {
    private static final String SUFFIX = ".last-success";

    private final DistributedLock job;
    private final DistributedLock marker;

    private LastSuccess(DistributedLock job, DistributedLock marker) {
        this.job = job;
        this.marker = marker;
    }

    /** The record of a job's successes, each of which is kept for a time. */
    static LastSuccess of(LockClient client, String job, Duration kept) {
        LockOptions options = client.options()
                .withMinHold(kept)
                .withLockDelay(Duration.ZERO)
                .withRenewal(false)
                .withGoOnWithoutAnswer(false);
        try {
            return new LastSuccess(client.lock(job), client.lock(job + SUFFIX, options));
        } catch (LockConfigurationException cannotKeepIt) {
            throw new LockConfigurationException("--unless-run-since: " + cannotKeepIt.getMessage(), cannotKeepIt);
        }
    }

    /**
     * Who has succeeded, and when; empty if the store knows of none. Asked while the job's lock is held.
     *
     * @throws LockConfigurationException if the store cannot tell when a lock is free: it would show a success for ever
     */
    Optional<LockHolder> find() {
        if (job.holder().filter(self -> self.remaining().isEmpty()).isPresent()) {
            throw new LockConfigurationException("--unless-run-since: the store cannot tell when a success is too old;"
                    + " on a database, drop mortise.clockFree=true");
        }
        return marker.holder();
    }

    /** Records a success. Does not throw: the job has succeeded either way. */
    void record() {
        try {
            // Empty: a success is recorded already, by a process that had lost the job's lock.
            marker.tryAcquire().ifPresent(Lease::release);
        } catch (LockReleaseException kept) {
            // It was granted for all of its time.
        } catch (LockException failure) {
            Console.say("the success could not be recorded, so the next run will not be skipped: "
                    + Printable.of(String.valueOf(failure.getMessage())));
        }
    }
}
