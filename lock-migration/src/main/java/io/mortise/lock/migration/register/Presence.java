// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.migration.register;

import io.mortise.lock.migration.window.MigrationWindow;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells people that this process follows a migration, and which window it knows: by a lock of its own in the store of the register, kept for as
 * long as the process reads there. No step depends on it: a process that is frozen, or that knows nothing of the migration, tells nothing. Used by one
 * thread at a time, but for the end.
 */
public final class Presence {
    private static final String NAMES = "mortise-migration:";

    private final MigrationRegister register;
    private final Supplier<String> label;
    private final String name;
    private volatile @Nullable Claim claim;

    /** What was told: the window, and the label. */
    private volatile @Nullable String told;

    /**
     * Tells nothing yet.
     *
     * @param label who this process is, for people
     */
    public Presence(MigrationRegister register, Supplier<String> label) {
        this.register = register;
        this.label = label;
        name = names(register) + OwnLock.random();
    }

    private static String names(MigrationRegister register) {
        return NAMES + register.migration() + ":";
    }

    /** Whether a lock is one of these, and of nobody's work. */
    public static boolean isName(String lock) {
        return lock.startsWith(NAMES);
    }

    /** Tells what was read. What goes wrong is left for the next time. */
    public void tell(MigrationRecord record, Duration atMost) {
        Claim last = claim;
        String text = record.window() + " " + label.get();
        try {
            if (last != null
                    && text.equals(told)
                    && last.renew(OwnLock.within(register.store().leaseBounds(), record.bound()), atMost)) {
                return;
            }
            end(atMost);
            Claim next = OwnLock.claim(register.store(), name, text, record.bound());
            claim = next;
            told = next.tryAcquire(atMost) ? text : null;
        } catch (BackendException unanswered) {
            told = null;
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    /** Tells no more. If that is not answered, it is forgotten when its lease ends. */
    public void end(Duration atMost) {
        Claim last = claim;
        claim = null;
        told = null;
        if (last != null) {
            OwnLock.giveBack(last, atMost);
        }
    }

    /** A process that follows a migration. */
    public record Told(MigrationWindow window, String label) {}

    /**
     * Who tells, in no order.
     *
     * @throws BackendException if the store did not answer
     */
    public static List<Told> of(MigrationRegister register, Duration atMost) {
        List<Told> all = new ArrayList<>();
        HolderList.forEach(register.store(), names(register), atMost, holder -> parse(holder.label())
                .ifPresent(all::add));
        return all;
    }

    private static Optional<Told> parse(String label) {
        int blank = label.indexOf(' ');
        try {
            return blank < 0
                    ? Optional.empty()
                    : Optional.of(
                            new Told(MigrationWindow.valueOf(label.substring(0, blank)), label.substring(blank + 1)));
        } catch (IllegalArgumentException ofAnotherVersion) {
            return Optional.empty();
        }
    }
}
