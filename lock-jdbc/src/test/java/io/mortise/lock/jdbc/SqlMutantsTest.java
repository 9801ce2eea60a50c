// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.jdbc.connection.DriverConnections;
import io.mortise.lock.tck.SuiteRun;
import io.mortise.lock.tck.servers.MariaDbServer;
import io.mortise.lock.tck.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Puts each mutant of the SQL of a database to the suite, until a case fails. Runs only if the property {@code mortise.mutants} names the
 * databases, such as {@code postgresql,sqlite}, or is {@code all}. What no case tells must be explained in {@code sql-mutants.txt}.
 */
@EnabledIfSystemProperty(
        named = "mortise.mutants",
        matches = ".*\\b(sqlite|h2|mariadb|postgresql|all)\\b.*",
        disabledReason = "takes an hour; ./verify --mutants runs it")
class SqlMutantsTest {
    /** A case that takes longer is not asked: it would be asked for each mutant that no case tells. */
    private static final Duration LONGEST = Duration.ofSeconds(1);

    /** The suite with leases that are short, since most of what is told is told at once. */
    static final class Suite extends WrongLockTck {
        @Override
        public Duration lease() {
            return Duration.ofMillis(500);
        }
    }

    @TempDir
    private static Path folder;

    static Stream<String> databases() {
        List<String> wanted = List.of(System.getProperty("mortise.mutants", "").split(","));
        return Stream.of("sqlite", "h2", "mariadb", "postgresql")
                .filter(name -> wanted.contains(name) || wanted.contains("all"));
    }

    @ParameterizedTest
    @MethodSource("databases")
    void eachMutantIsCaughtOrExplained(String database) throws Exception {
        switch (database) {
            case "postgresql" -> {
                try (PostgresServer server = PostgresServer.start("synchronous_commit=off")) {
                    check(database, server.url());
                }
            }
            case "mariadb" -> {
                try (MariaDbServer server = MariaDbServer.start("--innodb-flush-log-at-trx-commit=2")) {
                    check(database, server.url());
                }
            }
            case "h2" -> {
                try (H2Process server = H2Process.start(folder)) {
                    check(database, server.url());
                }
            }
            default -> check(database, "jdbc:sqlite:" + folder.resolve("mutants.db"));
        }
    }

    private static void check(String database, String url) throws IOException, SQLException {
        Set<String> statements = new ConcurrentSkipListSet<>();
        WrongLockTck.lock = () -> EditedStatements.open(url, sql -> {
            statements.add(sql);
            return sql;
        });
        List<String> cases = new ArrayList<>(SuiteRun.quickCases(Suite.class, LONGEST));
        List<SqlMutant> mutants = mutants(statements, url);
        log("%s: %d mutants of %d statements, %d cases", database, mutants.size(), statements.size(), cases.size());

        Map<String, String> explained = explained();
        Map<String, Integer> rules = new TreeMap<>();
        List<String> missed = new ArrayList<>();
        for (SqlMutant mutant : mutants) {
            if (explained.containsKey(mutant.key())) {
                continue;
            }
            Rows.dropTables(url);
            WrongLockTck.lock =
                    () -> EditedStatements.open(url, sql -> sql.equals(mutant.sql()) ? mutant.changed() : sql);
            Optional<String> killer = SuiteRun.firstFailure(Suite.class, cases);
            if (killer.isPresent()) {
                String name = killer.get();
                rules.merge(name.substring(0, name.indexOf('_')).toUpperCase(Locale.ROOT), 1, Integer::sum);
                cases.remove(name);
                cases.add(0, name); // it may well tell the next one, too
            } else {
                missed.add(mutant.key());
            }
            log("%s: %s  %s", database, killer.map(name -> "caught by " + name).orElse("not caught"), mutant.key());
        }
        log("%s: %d mutants, %d not caught, caught by rule %s", database, mutants.size(), missed.size(), rules);

        assertThat(missed).as("what no case tells and nothing explains").isEmpty();
    }

    /** Of the statements on locks that are there: those that make and check the tables are tested where they stand. */
    private static List<SqlMutant> mutants(Set<String> statements, String url) throws SQLException {
        Map<String, SqlMutant> mutants = new LinkedHashMap<>();
        try (Connection connection = new DriverConnections(url).open()) {
            for (String sql : statements) {
                if (!sql.contains("mortise_") || sql.contains("1 = 0") || sql.startsWith("create")) {
                    continue;
                }
                for (SqlMutant mutant : SqlMutant.of(sql)) {
                    if (isStatement(connection, mutant.changed())) {
                        mutants.put(mutant.key(), mutant);
                    }
                }
            }
        }
        return List.copyOf(mutants.values());
    }

    /** Whether the database takes it; what it does not take would be told by anything. */
    private static boolean isStatement(Connection connection, String sql) {
        try (PreparedStatement prepared = connection.prepareStatement(sql)) {
            return prepared.getParameterMetaData() != null;
        } catch (SQLException refused) {
            return false;
        }
    }

    private static Map<String, String> explained() throws IOException {
        Map<String, String> explained = new TreeMap<>();
        Path list = Path.of("src", "test", "resources", "io", "mortise", "lock", "jdbc", "sql-mutants.txt");
        for (String line : Files.readAllLines(list)) {
            int because = line.indexOf(" because ");
            if (because > 0) {
                explained.put(line.substring(0, because), line.substring(because + 9));
            }
        }
        return explained;
    }

    private static void log(String format, Object... values) throws IOException {
        Files.writeString(
                Path.of("target", "sql-mutants.log"),
                format.formatted(values) + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }
}
