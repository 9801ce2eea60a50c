// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.scene;

import static io.mortise.lock.tck.scene.Expect.that;

import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LockBackend;
import org.opentest4j.TestAbortedException;

/**
 * Skips a case if the backend does not tell who holds a lock. A backend that is {@link Feature#LISTABLE} must tell it;
 * others may.
 */
public final class Inspectable {
    private Inspectable() {}

    /**
     * Skips the case if the backend does not tell holders, and need not.
     *
     * @param scene where
     * @param backend the backend to ask
     * @return the same backend, which tells them
     */
    public static LockBackend orSkipped(Scene scene, LockBackend backend) {
        try {
            that(backend.inspect(scene.lock("nobody's"), scene.limit()).isEmpty(), "nobody holds a lock of this name");
        } catch (UnsupportedOperationException untold) {
            that(!backend.features().contains(Feature.LISTABLE), "a backend that is LISTABLE must tell holders");
            throw new TestAbortedException(
                    "skipped: the backend does not tell who holds a lock; to enable the case, let"
                            + " it implement LockBackend.inspect");
        }
        return backend;
    }
}
