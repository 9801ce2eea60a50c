// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration.register;

import io.mortise.lock.migration.window.LeaseMode;
import io.mortise.lock.migration.window.MigrationWindow;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the register says of a migration: how far it is, and what all of its processes must agree on. Immutable.
 *
 * @param window which leases may be had
 * @param direction OLD or NEW: where the fleet is going
 * @param isFinished whether clients that know nothing of the migration may lock in the new store, so that there is no way back
 * @param bound for how long a process goes by what it has read, the same for all
 * @param oldStore which store the fleet leaves, as its URL names it, without user, password and options
 * @param newStore the other
 * @param oldFloor the tokens of leases in the old store alone must be greater
 * @param newFloor the same in the new store
 */
public record MigrationRecord(
        MigrationWindow window,
        LeaseMode direction,
        boolean isFinished,
        Duration bound,
        String oldStore,
        String newStore,
        long oldFloor,
        long newFloor) {
    private static final String FORMAT = "1";

    /** The mode of leases that processes ask for now, and change others into. */
    public LeaseMode mode() {
        return switch (window) {
            case OLD -> LeaseMode.OLD;
            case OLD_AND_DUAL, DUAL -> LeaseMode.DUAL;
            case DUAL_AND_NEW -> direction == LeaseMode.NEW ? LeaseMode.NEW : LeaseMode.DUAL;
            case NEW -> LeaseMode.NEW;
        };
    }

    /** The least that the tokens of leases of a mode must be greater than. */
    public long floor(LeaseMode mode) {
        return Math.max(mode.usesOld() ? oldFloor : 0, mode.usesNew() ? newFloor : 0);
    }

    /** The same, finished. */
    public MigrationRecord finished() {
        return new MigrationRecord(window, direction, true, bound, oldStore, newStore, oldFloor, newFloor);
    }

    /** As the register keeps it. */
    public String text() {
        return "format=" + FORMAT + " window=" + window + " direction=" + direction + " finished=" + isFinished
                + " bound=" + bound.toMillis() + " old=" + encoded(oldStore) + " new=" + encoded(newStore)
                + " oldFloor="
                + oldFloor + " newFloor=" + newFloor;
    }

    /**
     * Reads what {@link #text()} wrote.
     *
     * @throws IllegalArgumentException if it is anything else
     */
    public static MigrationRecord parse(String text) {
        Map<String, String> values = new TreeMap<>();
        for (String pair : text.split(" ")) {
            int equals = pair.indexOf('=');
            values.put(pair.substring(0, Math.max(0, equals)), pair.substring(equals + 1));
        }
        if (!FORMAT.equals(values.get("format"))) {
            throw new IllegalArgumentException("another version of Mortise wrote it");
        }
        return new MigrationRecord(
                MigrationWindow.valueOf(value(values, "window")),
                LeaseMode.valueOf(value(values, "direction")),
                Boolean.parseBoolean(value(values, "finished")),
                Duration.ofMillis(Long.parseLong(value(values, "bound"))),
                decoded(value(values, "old")),
                decoded(value(values, "new")),
                Long.parseLong(value(values, "oldFloor")),
                Long.parseLong(value(values, "newFloor")));
    }

    private static String value(Map<String, String> values, String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("it does not say " + name);
        }
        return value;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
