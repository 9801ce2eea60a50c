// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration.window;

import java.util.Optional;

/**
 * Which leases may be had at a time. A migration goes from window to window, one step at a time, in either direction. No window lets in OLD
 * and NEW, which do not see each other; between one that lets in OLD and one that lets in NEW lies {@link #DUAL}, for long enough that every
 * process knows of it or has given up what it had.
 */
public enum MigrationWindow {
    /** Before the migration, or back from it. */
    OLD(LeaseMode.OLD, LeaseMode.OLD),
    /** The fleet begins to lock in both stores. */
    OLD_AND_DUAL(LeaseMode.OLD, LeaseMode.DUAL),
    /** All lock in both stores. */
    DUAL(LeaseMode.DUAL, LeaseMode.DUAL),
    /** The fleet ceases to lock in the store that it leaves. */
    DUAL_AND_NEW(LeaseMode.DUAL, LeaseMode.NEW),
    /** After the migration, but for the way back. */
    NEW(LeaseMode.NEW, LeaseMode.NEW);

    private final LeaseMode earliest;
    private final LeaseMode latest;

    MigrationWindow(LeaseMode earliest, LeaseMode latest) {
        this.earliest = earliest;
        this.latest = latest;
    }

    /**
     * {@return whether leases of a mode may be granted and go on}
     *
     * @param mode the mode of the lease, which need not be the one that its process would choose now
     */
    public boolean letsIn(LeaseMode mode) {
        return earliest.compareTo(mode) <= 0 && mode.compareTo(latest) <= 0;
    }

    /** {@return the window after this one; empty if this is the last} */
    public Optional<MigrationWindow> next() {
        return at(ordinal() + 1);
    }

    /** {@return the window before this one; empty if this is the first} */
    public Optional<MigrationWindow> previous() {
        return at(ordinal() - 1);
    }

    private static Optional<MigrationWindow> at(int place) {
        MigrationWindow[] all = values();
        return 0 <= place && place < all.length ? Optional.of(all[place]) : Optional.empty();
    }
}
