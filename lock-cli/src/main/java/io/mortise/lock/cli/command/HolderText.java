// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.command;

import io.mortise.lock.LockHolder;
import io.mortise.lock.cli.console.Json;
import io.mortise.lock.cli.console.Printable;
import java.time.Duration;
import java.util.Locale;

/** Prints the holder of a lock as text for people or as JSON for programs. */
public final class HolderText {
    private HolderText() {}

    /** The holder as a JSON object, whose members {@code docs/command.md} lists. */
    public static Json json(LockHolder holder) {
        return new Json()
                .put("lock", holder.lock())
                .put("held", true)
                .put("holder", holder.label())
                .put("fencing_token", holder.fencingToken())
                .put("held_ms", holder.heldFor().toMillis())
                .put("remaining_ms", holder.remaining().map(Duration::toMillis).orElse(null))
                .put("waiters", holder.waiters().isPresent() ? holder.waiters().getAsInt() : null)
                .put("revoked", holder.revocationReason().orElse(null));
    }

    static String line(LockHolder holder) {
        return Printable.of(holder.lock()) + "  " + summary(holder);
    }

    static String summary(LockHolder holder) {
        return "held by " + who(holder);
    }

    /** The holder, since when, and until when at the latest. */
    static String who(LockHolder holder) {
        StringBuilder text = new StringBuilder(Printable.of(holder.label()))
                .append(" for ")
                .append(duration(holder.heldFor()))
                .append(holder.remaining()
                        .map(left -> ", lease ends in " + duration(left))
                        .orElse(", end of lease unknown"));
        if (holder.fencingToken() != 0) {
            text.append(", token ").append(holder.fencingToken());
        }
        holder.waiters().ifPresent(waiters -> text.append(", waiting: ").append(waiters));
        holder.revocationReason().ifPresent(reason -> text.append(", revoked: ").append(Printable.of(reason)));
        return text.toString();
    }

    /** How long ago a moment of {@link System#nanoTime} was. */
    static String since(long nanoTime) {
        return duration(Duration.ofNanos(System.nanoTime() - nanoTime));
    }

    /** To a tenth of a second below a minute, to a second above. */
    public static String duration(Duration value) {
        if (value.compareTo(Duration.ofMinutes(1)) < 0) {
            return value.toSeconds() + "." + value.toMillisPart() / 100 + "s";
        }
        return Duration.ofSeconds(value.toSeconds()).toString().substring(2).toLowerCase(Locale.ROOT);
    }
}
