// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.bench;

import io.mortise.lock.bench.contestant.Contestant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Measures all entrants of each store by turns, a turn of each in every round, so that what the machine does besides meets all of
 * them. Prints a table for each part and store, and appends each figure to a file of JSON lines.
 *
 * <p>Arguments: {@code free} or {@code contended}, or both, and names of stores; all of them if none is named. System properties:
 * {@code mortise.bench.rounds} (5), {@code mortise.bench.turn} (milliseconds, 1000), {@code mortise.bench.results} (a file),
 * {@code mortise.bench.page} (a page to be written with the tables, and performance.html beside it), {@code mortise.bench.entrants} (a part of the names of those who are
 * to take part, besides the reference).
 */
public final class Bench {
    private static final int ROUNDS = Integer.getInteger("mortise.bench.rounds", 5);
    private static final Duration TURN = Duration.ofMillis(Long.getLong("mortise.bench.turn", 1_000));
    private static final String ENTRANTS = System.getProperty("mortise.bench.entrants", "");
    private static final List<Integer> THREADS = List.of(1, 8, 64);
    /** Turns that do not count: code is compiled meanwhile. */
    private static final int WARM_UPS = 2;

    private static final int PROCESSES = 3;
    private static final int THREADS_EACH = 4;

    private final Path results;
    private final StringBuilder tables = new StringBuilder();
    private final Plots plots = new Plots();

    private Bench(Path results) {
        this.results = results;
    }

    public static void main(String... arguments) {
        Set<String> parts = new LinkedHashSet<>();
        Set<Store> stores = EnumSet.noneOf(Store.class);
        for (String argument : arguments) {
            if (argument.equals(FreeLocks.PART) || argument.equals(OneLock.PART)) {
                parts.add(argument);
            } else {
                stores.add(Store.valueOf(argument.toUpperCase(Locale.ROOT)));
            }
        }
        Bench bench = new Bench(Path.of(System.getProperty("mortise.bench.results", "target/bench.jsonl")));
        int status = 1;
        try {
            bench.plots.about(
                    Page.machine(ROUNDS, TURN)
                            + ". The bars are medians, the lines go from the least to the greatest, and the dashes mark the reference.");
            for (String part : parts.isEmpty() ? List.of(FreeLocks.PART, OneLock.PART) : parts) {
                bench.tables.append(Page.heading(part));
                bench.plots.part(Page.title(part));
                for (Store store : stores.isEmpty() ? EnumSet.allOf(Store.class) : stores) {
                    bench.measure(store, part);
                }
            }
            bench.writePage(System.getProperty("mortise.bench.page", ""));
            status = 0;
        } catch (Exception failure) {
            failure.printStackTrace();
        }
        // Clients of peers leave threads behind that hold up the end.
        System.exit(status);
    }

    private void measure(Store store, String part) throws Exception {
        boolean isFree = part.equals(FreeLocks.PART);
        if (!isFree && store == Store.H2) {
            // It lives in one process here.
            return;
        }
        try (Store.Servers servers = store.start()) {
            List<Figure> all = isFree ? free(store, servers.url()) : contended(store, servers.url());
            tell(new Figures(part, store, all.get(0).entrant(), all));
        }
    }

    private void writePage(String file) throws IOException {
        if (!file.isEmpty()) {
            Path page = Path.of(file);
            Files.writeString(page, Page.of(ROUNDS, TURN, tables.toString()));
            Files.writeString(page.resolveSibling("performance.html"), plots.page());
        }
    }

    /** The reference first. Without waiters, strict order is no other thing. */
    private static List<Entrant> entrants(Store store, boolean waits) {
        List<Entrant> able = store.everybody().stream()
                .filter(each -> waits ? each.waits() : !each.name().equals(Store.STRICT))
                .toList();
        return able.stream()
                .filter(each -> each == able.get(0) || each.name().contains(ENTRANTS))
                .toList();
    }

    private static List<Figure> free(Store store, String url) throws Exception {
        Map<String, Contestant> open = new LinkedHashMap<>();
        for (Entrant entrant : entrants(store, false)) {
            open.put(entrant.name(), entrant.opener().open(url));
        }
        FreeLocks locks = new FreeLocks(store, TURN);
        List<Figure> figures = new ArrayList<>();
        for (int threads : THREADS) {
            for (int warmUp = 0; warmUp < WARM_UPS; warmUp++) {
                for (Map.Entry<String, Contestant> each : open.entrySet()) {
                    locks.measure(each.getKey(), each.getValue(), threads, 0);
                }
            }
            for (int round = 1; round <= ROUNDS; round++) {
                for (Map.Entry<String, Contestant> each : open.entrySet()) {
                    figures.add(locks.measure(each.getKey(), each.getValue(), threads, round));
                }
            }
        }
        for (Contestant contestant : open.values()) {
            contestant.close();
        }
        return figures;
    }

    private static List<Figure> contended(Store store, String url) throws Exception {
        OneLock lock = new OneLock(store, url, TURN.multipliedBy(3));
        List<Figure> figures = new ArrayList<>();
        List<Entrant> entrants = entrants(store, true);
        for (int round = 1; round <= ROUNDS; round++) {
            for (Entrant entrant : entrants) {
                figures.add(lock.measure(entrant.name(), PROCESSES, THREADS_EACH, round));
            }
        }
        return figures;
    }

    private void tell(Figures figures) throws IOException {
        String table = "### " + figures.title() + "\n\n" + new Table(figures).markdown() + "\n";
        System.out.println(figures.part() + "\n" + table);
        tables.append(table);
        plots.add(figures);
        Files.createDirectories(results.toAbsolutePath().getParent());
        Files.write(
                results,
                figures.all().stream().map(Figure::json).toList(),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }
}
