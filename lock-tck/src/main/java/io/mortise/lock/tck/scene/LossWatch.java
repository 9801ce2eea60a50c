// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.scene;

import io.mortise.lock.Lease;
import io.mortise.lock.Loss;
import io.mortise.lock.LossCause;
import java.lang.ref.Reference;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Records the losses and warnings that a lease reports, and keeps the lease reachable, as a dropped lease ends. Thread-safe. */
public final class LossWatch {
    private final Lease lease;
    private final List<Loss> losses = new CopyOnWriteArrayList<>();
    private volatile boolean atRisk;
    private volatile long toldAt;

    public LossWatch(Lease lease) {
        this.lease = lease;
        lease.onAtRisk(left -> atRisk = true);
        lease.onLost(loss -> {
            toldAt = System.nanoTime();
            losses.add(loss);
        });
    }

    public boolean isLost() {
        try {
            return !losses.isEmpty();
        } finally {
            Reference.reachabilityFence(lease);
        }
    }

    public boolean wasAtRisk() {
        return atRisk;
    }

    /** How often a loss was told: 0 or 1 if all is well. */
    public int losses() {
        return losses.size();
    }

    /** When the last loss was told, by {@link System#nanoTime}; anything if none was. */
    public long toldAt() {
        return toldAt;
    }

    /** The first cause that was told, or null. */
    public @Nullable LossCause cause() {
        return losses.isEmpty() ? null : losses.get(0).cause();
    }

    /** The detail of the first loss that was told, or the empty string. */
    public String detail() {
        return losses.isEmpty() ? "" : losses.get(0).detail();
    }
}
