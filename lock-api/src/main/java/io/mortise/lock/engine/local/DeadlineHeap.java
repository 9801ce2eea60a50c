// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.engine.local;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A binary heap of things that are due at a moment, the earliest first. Each knows its place, so that it can be moved or taken
 * out. The moments stand beside each other, apart from the things, so that comparing them reads little memory. Allocates only when it
 * grows: once there is room, no lack of memory keeps a thing from being put in or moved. Not thread-safe.
 *
 * @param <E> the things
 */
public final class DeadlineHeap<E extends DeadlineHeap.Entry> {
    /** A thing that is due at a moment. In one heap at most; guarded by what guards the heap. */
    public abstract static class Entry {
        private static final int OUTSIDE = -1;

        private int index = OUTSIDE;
    }

    private @Nullable Entry[] heap = new Entry[16];
    private long[] moments = new long[16];
    private int size;

    /** Makes room for so many things together. */
    public void reserve(int capacity) {
        if (capacity > heap.length) {
            int more = Math.max(capacity, 2 * heap.length);
            moments = Arrays.copyOf(moments, more);
            heap = Arrays.copyOf(heap, more);
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

    /** When the earliest is due, in the time of the client's ticker; of no meaning if there is none. */
    public long firstMoment() {
        return moments[0];
    }

    /** Puts a thing in, or moves it to another moment. */
    public void put(E entry, long at) {
        Entry moved = entry;
        if (moved.index == Entry.OUTSIDE) {
            reserve(size + 1);
            moved.index = size++;
        }
        down(moved, up(moved, moved.index, at), at);
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
            long at = moments[size];
            down(last, up(last, index, at), at);
        }
    }

    /** Makes all due at one moment. */
    public void putAll(long at) {
        Arrays.fill(moments, 0, size, at);
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
    private int up(Entry entry, int from, long at) {
        int index = from;
        while (index > 0) {
            int parent = (index - 1) / 2;
            if (moments[parent] - at <= 0) {
                break;
            }
            move(parent, index);
            index = parent;
        }
        place(entry, index, at);
        return index;
    }

    private void down(Entry entry, int from, long at) {
        int index = from;
        for (int child = 2 * index + 1; child < size; child = 2 * index + 1) {
            if (child + 1 < size && moments[child + 1] - moments[child] < 0) {
                child++;
            }
            if (moments[child] - at >= 0) {
                break;
            }
            move(child, index);
            index = child;
        }
        if (index != from) {
            place(entry, index, at);
        }
    }

    private void move(int from, int to) {
        place(Objects.requireNonNull(heap[from]), to, moments[from]);
    }

    private void place(Entry entry, int index, long at) {
        heap[index] = entry;
        moments[index] = at;
        entry.index = index;
    }
}
