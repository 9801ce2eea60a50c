// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration.register;

import io.mortise.lock.LockHolder;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.LockBackend;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** All pages of a store's list of the locks that are held. */
public final class HolderList {
    private static final int PAGE = 1000;

    private HolderList() {}

    /**
     * Tells each holder of a lock whose name begins with a prefix.
     *
     * @param atMost how long each question may take
     * @throws BackendException if the store did not answer
     */
    public static void forEach(LockBackend store, String prefix, Duration atMost, Consumer<LockHolder> action) {
        String after = "";
        List<LockHolder> page;
        do {
            page = store.list(prefix, after, PAGE, atMost);
            page.forEach(action);
            after = page.isEmpty() ? after : page.get(page.size() - 1).lock();
        } while (page.size() == PAGE);
    }
}
