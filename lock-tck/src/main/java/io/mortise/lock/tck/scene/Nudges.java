// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.scene;

import java.util.concurrent.atomic.AtomicBoolean;

/** What a claim is given to be nudged by. A case asks in its place whether it is worth trying again. */
public final class Nudges implements Runnable {
    private final AtomicBoolean nudged = new AtomicBoolean();

    @Override
    public void run() {
        nudged.set(true);
    }

    /** Whether a nudge has come since the last time that this was asked. */
    public boolean any() {
        return nudged.getAndSet(false);
    }
}
