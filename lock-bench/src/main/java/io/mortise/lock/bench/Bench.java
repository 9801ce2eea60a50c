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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Measures all entrants of each store by turns, a turn of each in every round, so that what the machine does besides meets all of
 * them. Prints a table for each part and store, and appends what most turns have shown to a file of JSON lines.
 *
 * <p>Arguments: words of {@link Part}, and names of stores; all if none is named. System properties:
 * {@code mortise.bench.rounds} (5), {@code mortise.bench.turn} (milliseconds, 1000), {@code mortise.bench.results} (a file),
 * {@code mortise.bench.page} (a page to be written with the tables, and performance.html beside it), {@code mortise.bench.entrants} (a part of the names of those who are
 * to take part, besides the reference).
 */
public final class Bench {
    private static final int ROUNDS = Integer.getInteger("mortise.bench.rounds", 5);
    private static final Duration TURN = Duration.ofMillis(Long.getLong("mortise.bench.turn", 1_000));
    private static final String ENTRANTS = System.getProperty("mortise.bench.entrants", "");
    private static final Set<Part> PLOTTED = EnumSet.of(Part.FREE, Part.CONTENDED, Part.WAITERS, Part.HELD, Part.START);
    private static final List<Integer> THREADS = List.of(1, 8, 64);

    /** Turns that do not count: code is compiled meanwhile. */
    private static final int WARM_UPS = 4;

    /** In processes of its own, each of which does a part of the work, it takes longer. */
    private static final int WARM_UPS_OF_PROCESSES = 10;

    private static final int PROCESSES = 3;
    private static final int THREADS_EACH = 4;

    private final Path results;
    private final StringBuilder tables = new StringBuilder();
    private final Plots plots = new Plots();

    private Bench(Path results) {
        this.results = results;
    }

    public static void main(String... arguments) {
        Set<Part> parts = EnumSet.noneOf(Part.class);
        Set<Store> stores = EnumSet.noneOf(Store.class);
        for (String argument : arguments) {
            Optional<Part> part = Stream.of(Part.values())
                    .filter(each -> each.word().equals(argument))
                    .findFirst();
            part.ifPresentOrElse(parts::add, () -> stores.add(Store.valueOf(argument.toUpperCase(Locale.ROOT))));
        }
        Bench bench = new Bench(Path.of(System.getProperty("mortise.bench.results", "target/bench.jsonl")));
        int status = 1;
        try {
            Jvms.check();
            bench.plots.about(
                    Page.machine(ROUNDS, TURN)
                            + ". The bars are medians, the lines go from the least to the greatest, and the dashes mark the reference.");
            for (Part part : parts.isEmpty() ? EnumSet.allOf(Part.class) : parts) {
                bench.tables.append(part.heading());
                if (PLOTTED.contains(part)) {
                    bench.plots.part(part.title());
                }
                for (Store store : stores.isEmpty() ? EnumSet.allOf(Store.class) : stores) {
                    bench.measure(store, part);
                }
                if (part == Part.ENGINE) {
                    bench.tell(part, "memory:", EngineAlone.measure());
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

    private void measure(Store store, Part part) throws Exception {
        if (!part.isMeasured(store)) {
            return;
        }
        try (Store.Servers servers = store.start()) {
            String url = servers.url();
            switch (part) {
                case FREE -> tell(part, store, free(store, url));
                case CONTENDED -> tell(part, store, contended(store, url));
                case WAITERS -> tell(part, store, Waiters.measure(store, entrants(store, true), servers, ROUNDS));
                case HELD -> tell(part, store, ManyLeases.measure(store, url, ROUNDS));
                case CROWD -> tell(part, store, new Section(Crowd.measure(url, ROUNDS)));
                case COUNTER -> tell(part, store, new Section(Counter.measure(url, TURN, ROUNDS)));
                case START -> tell(part, store, FirstLock.measure(store, entrants(store, false), url, ROUNDS));
                case PROFILE -> tell(part, store, new Section(profile(store, url)));
                case ENGINE -> throw new IllegalArgumentException("the engine needs no server");
            }
        }
    }

    /** Of the reference and of ours alone. */
    private static String profile(Store store, String url) throws Exception {
        StringBuilder rows = new StringBuilder();
        List<Entrant> free = entrants(store, false);
        for (Profile.Work work : Profile.Work.FREE) {
            rows.append(Profile.measure(work, referenceAndOurs(free), url, TURN, 2 * WARM_UPS, ROUNDS));
        }
        if (Part.CONTENDED.isMeasured(store)) {
            rows.append(Profile.measure(
                    Profile.Work.CONTENDED, referenceAndOurs(entrants(store, true)), url, TURN, 2 * WARM_UPS, ROUNDS));
        }
        return Profile.table(rows.toString());
    }

    private static List<Entrant> referenceAndOurs(List<Entrant> entrants) {
        return entrants.stream()
                .filter(each -> each == entrants.get(0) || each.name().startsWith(Store.OURS))
                .toList();
    }

    private void writePage(String file) throws IOException {
        if (!file.isEmpty()) {
            Path page = Path.of(file);
            Files.writeString(page, Page.of(ROUNDS, TURN, tables.toString()));
            Files.writeString(page.resolveSibling("performance.html"), plots.page());
        }
    }

    /** The reference first. */
    private static List<Entrant> entrants(Store store, boolean waits) {
        List<Entrant> able = store.everybody().stream()
                .filter(each -> waits ? each.waits() : !each.isStricter())
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
        Map<String, FreeLocks.Way> ways = new LinkedHashMap<>();
        List<Figure> figures = new ArrayList<>();
        for (int threads : THREADS) {
            open.forEach((name, contestant) -> ways.put(name, new FreeLocks.Way(name, contestant, threads)));
            Turns.take(ways, WARM_UPS, ROUNDS, locks::measure).values().forEach(figures::addAll);
        }
        for (Contestant contestant : open.values()) {
            contestant.close();
        }
        return figures;
    }

    private static List<Figure> contended(Store store, String url) throws Exception {
        Map<String, OneLock> open = new LinkedHashMap<>();
        try {
            for (Entrant entrant : entrants(store, true)) {
                open.put(entrant.name(), OneLock.start(store, url, entrant.name(), PROCESSES, THREADS_EACH));
            }
            return Turns.take(
                            open,
                            WARM_UPS_OF_PROCESSES,
                            ROUNDS,
                            (lock, round) -> lock.measure(round, TURN.multipliedBy(3)))
                    .values()
                    .stream()
                    .flatMap(List::stream)
                    .toList();
        } finally {
            for (OneLock lock : open.values()) {
                lock.close();
            }
        }
    }

    private void tell(Part part, Store store, List<Figure> all) throws IOException {
        Figures figures = new Figures(part, store, all.get(0).entrant(), all);
        tell(part, figures.title(), new Table(figures).markdown());
        plots.add(figures);
        keep(all.stream().map(Figure::json).toList());
    }

    private void keep(List<String> lines) throws IOException {
        Files.createDirectories(results.toAbsolutePath().getParent());
        Files.write(results, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private void tell(Part part, Store store, Section section) throws IOException {
        tell(part, store.title(), section.table());
        keep(section.samples().stream().map(sample -> sample.json(part, store)).toList());
        if (PLOTTED.contains(part)) {
            plots.add(store.title(), section);
        }
    }

    private void tell(Part part, String title, String table) {
        String section = "### " + title + "\n\n" + table + "\n";
        System.out.println(part.word() + "\n" + section);
        tables.append(section);
    }
}
