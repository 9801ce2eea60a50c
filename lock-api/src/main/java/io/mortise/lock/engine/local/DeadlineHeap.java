// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.local;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A binary heap of things that are due at a moment, the earliest first. Each knows its place, so that it can be moved or taken
 * out. Allocates only when it grows: once there is room, no lack of memory keeps a thing from being put in or moved.
 * Not thread-safe.
 *
 * @param <E> the things
 */
public final class DeadlineHeap<E extends DeadlineHeap.Entry> {
    /** A thing that is due at a moment. In one heap at most; guarded by what guards the heap. */
    public abstract static class Entry {
        private static final int OUTSIDE = -1;

        private long at;
        private int index = OUTSIDE;

        /** When it is due, in the time of the client's ticker; of no meaning outside of a heap. */
        public final long at() {
            return at;
        }
    }

    private @Nullable Entry[] heap = new Entry[16];
    private int size;

    /** Makes room for so many things together. */
    public void reserve(int capacity) {
        if (capacity > heap.length) {
            heap = Arrays.copyOf(heap, Math.max(capacity, 2 * heap.length));
        }
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public int size() {
        return size;
    }

    /** The earliest; null if there is none. */
    @SuppressWarnings("unchecked") // only put() adds, and it takes E
    public @Nullable E first() {
        return (E) heap[0];
    }

    /** Puts a thing in, or moves it to another moment. */
    public void put(E entry, long at) {
        Entry moved = entry;
        if (moved.index == Entry.OUTSIDE) {
            reserve(size + 1);
            moved.index = size++;
        }
        moved.at = at;
        int index = up(moved, moved.index);
        down(moved, index);
    }

    /** Takes a thing out; does nothing if it is not in. */
    public void remove(E entry) {
        Entry removed = entry;
        int index = removed.index;
        if (index == Entry.OUTSIDE) {
            return;
        }
        removed.index = Entry.OUTSIDE;
        Entry last = heap[--size];
        heap[size] = null;
        if (last != null && last != removed) {
            down(last, up(last, index));
        }
    }

    /** Makes all due at one moment. */
    public void putAll(long at) {
        for (int i = 0; i < size; i++) {
            Entry entry = heap[i];
            if (entry != null) {
                entry.at = at;
            }
        }
    }

    /** Takes all out. */
    public void clear() {
        for (int i = 0; i < size; i++) {
            Entry entry = heap[i];
            if (entry != null) {
                entry.index = Entry.OUTSIDE;
            }
            heap[i] = null;
        }
        size = 0;
    }

    /** Lets an entry rise from a free place to where it belongs; answers where that is. */
    private int up(Entry entry, int from) {
        int index = from;
        while (index > 0) {
            Entry parent = heap[(index - 1) / 2];
            if (parent == null || parent.at - entry.at <= 0) {
                break;
            }
            place(parent, index);
            index = (index - 1) / 2;
        }
        place(entry, index);
        return index;
    }

    private void down(Entry entry, int from) {
        int index = from;
        while (2 * index + 1 < size) {
            int child = 2 * index + 1;
            Entry earlier = heap[child];
            Entry other = child + 1 < size ? heap[child + 1] : null;
            if (other != null && earlier != null && other.at - earlier.at < 0) {
                child++;
                earlier = other;
            }
            if (earlier == null || earlier.at - entry.at >= 0) {
                break;
            }
            place(earlier, index);
            index = child;
        }
        place(entry, index);
    }

    private void place(Entry entry, int index) {
        heap[index] = entry;
        entry.index = index;
    }
}
