// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine;

import io.mortise.lock.LockHolder;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;

/** The holders of many locks, which are asked for page by page, and only when they are needed. Used by one thread. */
final class HolderPages implements Iterator<LockHolder> {
    private final Function<String, List<LockHolder>> pageAfter;
    private final int fullPage;
    private List<LockHolder> page = List.of();
    private int next;
    private String last = "";
    private boolean more = true;

    /**
     * Asks nothing yet.
     *
     * @param pageAfter the page of the names after one; of all names after the empty string
     * @param fullPage how many holders a page has if it is not the last one
     */
    HolderPages(Function<String, List<LockHolder>> pageAfter, int fullPage) {
        this.pageAfter = pageAfter;
        this.fullPage = fullPage;
    }

    @Override
    public boolean hasNext() {
        if (next == page.size() && more) {
            page = pageAfter.apply(last);
            next = 0;
            more = page.size() >= fullPage;
            if (more) {
                last = page.get(page.size() - 1).lock();
            }
        }
        return next < page.size();
    }

    @Override
    public LockHolder next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return page.get(next++);
    }
}
