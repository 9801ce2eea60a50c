// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.scene;

import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.FencingStrength;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.SafetyLevel;
import java.util.Set;

/**
 * The properties that a backend declares of itself, the same at every call.
 */
public record BackendDeclaration(
        Set<Feature> features, SafetyLevel level, FencingStrength strength, LeaseBounds bounds) {
    public static BackendDeclaration by(LockBackend backend) {
        return new BackendDeclaration(
                Set.copyOf(backend.features()),
                backend.safetyLevel(),
                backend.fencingStrength(),
                backend.leaseBounds());
    }

    /** Whether the store keeps its locks when some of its servers lose their data. */
    public boolean survivesLoss() {
        return level.compareTo(SafetyLevel.QUORUM) >= 0 && level != SafetyLevel.DURABLE;
    }
}
