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
 * <p>Arguments: {@code free}, {@code contended}, {@code held}, {@code crowd}, or some of them, and names of stores; all if none is named. System properties:
 * {@code mortise.bench.rounds} (5), {@code mortise.bench.turn} (milliseconds, 1000), {@code mortise.bench.results} (a file),
 * {@code mortise.bench.page} (a page to be written with the tables, and performance.html beside it), {@code mortise.bench.entrants} (a part of the names of those who are
 * to take part, besides the reference).
 */
public final class Bench {
    private static final int ROUNDS = Integer.getInteger("mortise.bench.rounds", 5);
    private static final Duration TURN = Duration.ofMillis(Long.getLong("mortise.bench.turn", 1_000));
    private static final String ENTRANTS = System.getProperty("mortise.bench.entrants", "");
    private static final List<String> PARTS = List.of(FreeLocks.PART, OneLock.PART, ManyLeases.PART, Crowd.PART);
    private static final List<String> PLOTTED = List.of(FreeLocks.PART, OneLock.PART);
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
            if (PARTS.contains(argument)) {
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
            for (String part : parts.isEmpty() ? PARTS : parts) {
                bench.tables.append(Page.heading(part));
                if (PLOTTED.contains(part)) {
                    bench.plots.part(Page.title(part));
                }
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
        if (!isMeasured(store, part)) {
            return;
        }
        try (Store.Servers servers = store.start()) {
            String url = servers.url();
            switch (part) {
                case FreeLocks.PART -> tell(part, store, free(store, url));
                case OneLock.PART -> tell(part, store, contended(store, url));
                case ManyLeases.PART -> tell(part, store.title(), ManyLeases.measure(store.renewing(), url, ROUNDS));
                default -> tell(part, store.title(), Crowd.measure(Store.ours(), url, ROUNDS));
            }
        }
    }

    private static boolean isMeasured(Store store, String part) {
        return switch (part) {
            case FreeLocks.PART -> true;
            // H2 lives in one process here.
            case OneLock.PART -> store != Store.H2;
            case ManyLeases.PART -> !store.renewing().isEmpty();
            default -> store == Store.REDIS || store == Store.POSTGRESQL;
        };
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

    private void tell(String part, Store store, List<Figure> all) throws IOException {
        Figures figures = new Figures(part, store, all.get(0).entrant(), all);
        tell(part, figures.title(), new Table(figures).markdown());
        plots.add(figures);
        Files.createDirectories(results.toAbsolutePath().getParent());
        Files.write(
                results, all.stream().map(Figure::json).toList(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private void tell(String part, String title, String table) {
        String section = "### " + title + "\n\n" + table + "\n";
        System.out.println(part + "\n" + section);
        tables.append(section);
    }
}
