// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.report;

import io.mortise.lock.tck.history.Hold;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Draws who held a lock when: a lane for each client, a bar for each hold, red where two clients held it at once. */
final class HoldLanes {
    private static final int LEFT = 90;
    private static final int WIDTH = 900;
    private static final int LANE = 20;
    private static final int TICKS = 6;

    private final List<Hold> holds;
    private final Map<String, Integer> lanes = new LinkedHashMap<>();
    private final double begin;
    private final double scale;

    HoldLanes(List<Hold> holds) {
        this.holds = holds;
        holds.forEach(hold -> lanes.putIfAbsent(hold.who(), lanes.size()));
        begin = holds.stream().mapToLong(Hold::from).min().orElse(0);
        double end = holds.stream().mapToLong(Hold::to).max().orElse(1);
        scale = WIDTH / Math.max(1, end - begin);
    }

    String svg() {
        int height = lanes.size() * LANE + 24;
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"who held the lock when\">\n",
                LEFT + WIDTH + 10,
                height));
        lanes.forEach((who, lane) -> svg.append(String.format(
                Locale.ROOT,
                "<line class=\"lane\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n",
                LEFT,
                lane * LANE + 10,
                LEFT + WIDTH,
                lane * LANE + 10,
                LEFT - 8,
                lane * LANE + 14,
                ReportPage.escaped(who))));
        holds.forEach(hold -> bar(svg, "hold", hold.who(), hold.from(), hold.to(), who(hold)));
        for (Hold[] both : overlaps()) {
            long from = Math.max(both[0].from(), both[1].from());
            long to = Math.min(both[0].to(), both[1].to());
            for (Hold each : both) {
                bar(svg, "both", each.who(), from, to, who(both[0]) + " and " + who(both[1]) + " at once");
            }
        }
        for (int i = 0; i <= TICKS; i++) {
            double x = LEFT + (double) WIDTH * i / TICKS;
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%.0f\" y=\"%d\" text-anchor=\"middle\">%.1f ms</text>\n",
                    Math.min(x, LEFT + WIDTH - 20.0),
                    height - 4,
                    (begin + WIDTH / scale * i / TICKS) / 1000));
        }
        return svg.append("</svg>\n").toString();
    }

    private static String who(Hold hold) {
        return hold.who() + "#" + hold.claim();
    }

    private void bar(StringBuilder svg, String kind, String who, long from, long to, String title) {
        int lane = lanes.getOrDefault(who, 0);
        svg.append(String.format(
                Locale.ROOT,
                "<rect class=\"%s\" x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\"><title>%s, %.3f to %.3f ms</title></rect>\n",
                kind,
                LEFT + (from - begin) * scale,
                lane * LANE + 3,
                Math.max(1, (to - from) * scale),
                LANE - 6,
                ReportPage.escaped(title),
                from / 1e3,
                to / 1e3));
    }

    private List<Hold[]> overlaps() {
        List<Hold[]> overlaps = new ArrayList<>();
        for (int i = 0; i < holds.size(); i++) {
            for (int j = i + 1; j < holds.size(); j++) {
                Hold one = holds.get(i);
                Hold other = holds.get(j);
                if (one.claim() != other.claim() && one.from() < other.to() && other.from() < one.to()) {
                    overlaps.add(new Hold[] {one, other});
                }
            }
        }
        return overlaps;
    }
}
