// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.watch;

import io.mortise.lock.LockHolder;
import io.mortise.lock.cli.command.HolderText;
import io.mortise.lock.cli.console.Printable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Writes the locks of a moment as a table that fits a terminal: those first for which most others wait, then those held longest. */
final class LockTable {
    private static final Comparator<LockWatch.Row> ORDER = Comparator.comparingInt(
                    (LockWatch.Row row) -> row.holder().waiters().orElse(0))
            .thenComparing(row -> row.holder().heldFor())
            .reversed();

    private static final int LEAST_WIDTH = 60;

    private LockTable() {}

    /**
     * The lines of a table.
     *
     * @param width how many columns a line may have
     * @param height how many lines there may be
     */
    static List<String> lines(String store, LockWatch.Look look, int width, int height) {
        List<String> lines = new ArrayList<>();
        int columns = Math.max(width, LEAST_WIDTH);
        lines.add(fitted(summary(store, look), columns));
        look.failure()
                .ifPresent(why -> lines.add(fitted("NO ANSWER, this is what was: " + Printable.of(why), columns)));
        lines.add("");
        int rest = columns - 38;
        int name = rest * 3 / 5;
        lines.add(row("LOCK", name, "HOLDER", rest - name, "HELD", "LEASE", "WAIT", "CHANGES/S"));
        int room = Math.max(1, height - lines.size() - 1);
        look.rows().stream().sorted(ORDER).limit(room).forEach(row -> lines.add(line(row, name, rest - name)));
        int hidden = look.rows().size() - room;
        if (hidden > 0 || look.more()) {
            lines.add("… and " + Math.max(0, hidden) + (look.more() ? " or more" : "") + " others");
        }
        return lines;
    }

    private static String summary(String store, LockWatch.Look look) {
        return look.rows().size() + (look.more() ? " or more" : "") + " held, " + look.waiters()
                + " waiting, answered in " + look.took().toMillis() + " ms: " + Printable.of(store);
    }

    private static String line(LockWatch.Row row, int name, int label) {
        LockHolder holder = row.holder();
        return row(
                Printable.of(holder.lock()),
                name,
                holder.revocationReason().map(why -> "(revoked) ").orElse("") + Printable.of(holder.label()),
                label,
                HolderText.duration(holder.heldFor()),
                holder.remaining().map(HolderText::duration).orElse("?"),
                holder.waiters().isPresent() ? String.valueOf(holder.waiters().getAsInt()) : "?",
                String.format(Locale.ROOT, "%.1f", row.changesPerSecond()));
    }

    private static String row(
            String lock, int name, String holder, int label, String held, String lease, String wait, String changes) {
        return fitted(lock, name - 1) + " " + fitted(holder, label - 1) + " "
                + String.format(Locale.ROOT, "%10s %10s %5s %9s", held, lease, wait, changes);
    }

    /** A text in exactly so many columns: cut, or filled with blanks. */
    static String fitted(String text, int columns) {
        StringBuilder fitted = new StringBuilder();
        int used = 0;
        int[] points = text.codePoints().toArray();
        int whole = 0;
        for (int point : points) {
            whole += width(point);
        }
        for (int point : points) {
            if (used + width(point) > (whole > columns ? columns - 1 : columns)) {
                fitted.append('…');
                used++;
                break;
            }
            fitted.appendCodePoint(point);
            used += width(point);
        }
        return fitted.append(" ".repeat(Math.max(0, columns - used))).toString();
    }

    /** As terminals count: two columns for what is written in East Asia and for pictures, none for what is put on other characters. */
    private static int width(int point) {
        int type = Character.getType(point);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
            return 0;
        }
        boolean wide = Character.isIdeographic(point)
                || point >= 0x1100 && point <= 0x115f
                || point >= 0x2e80 && point <= 0xa4cf
                || point >= 0xac00 && point <= 0xd7a3
                || point >= 0xf900 && point <= 0xfaff
                || point >= 0xfe30 && point <= 0xfe6f
                || point >= 0xff00 && point <= 0xff60
                || point >= 0x1f300 && point <= 0x1faff;
        return wide ? 2 : 1;
    }
}
