// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0
package io.mortise.lock.engine;

import io.mortise.lock.LockHolder;
import java.util.stream.Stream;

/** Looking at the store's locks. */
public final class Admin {
    /** The locks that are held now. */
    public Stream<LockHolder> holders(String prefix) {
        throw new UnsupportedOperationException(prefix);
    }
}
