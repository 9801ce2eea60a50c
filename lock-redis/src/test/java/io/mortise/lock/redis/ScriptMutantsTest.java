// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.redis.scripts.Script;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.tck.SuiteRun;
import io.mortise.lock.tck.servers.RedisErrorException;
import io.mortise.lock.tck.servers.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Puts each mutant of the scripts to the suite, until a case fails. Runs only if the property {@code mortise.mutants} names the files, such as
 * {@code release,renew}, or {@code all}. What no case tells must be explained in {@code script-mutants.txt}.
 */
@EnabledIfSystemProperty(
        named = "mortise.mutants",
        matches = ".*\\b(free|own|raise|revoke|inspect|holder|release|prolong|renew|calls|acquire|common|all)\\b.*",
        disabledReason = "takes an hour; ./verify --mutants runs it")
class ScriptMutantsTest {
    private static final List<String> FILES = List.of(
            "free", "own", "raise", "revoke", "inspect", "holder", "release", "prolong", "renew", "calls", "acquire",
            "common");

    /** A case that takes longer is not asked: it would be asked for each mutant that no case tells. */
    private static final Duration LONGEST = Duration.ofSeconds(1);

    private static RedisServer server;

    /** The suite with leases that are short, since most of what is told is told at once. */
    static final class Suite extends WrongLockTck {
        @Override
        public Duration lease() {
            return Duration.ofMillis(400);
        }
    }

    @BeforeAll
    static void start() {
        server = RedisServer.start();
        WrongLockTck.server = server;
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void eachMutantIsCaughtOrExplained() throws IOException {
        String wanted = System.getProperty("mortise.mutants", "");
        Map<String, String> explained = explained();
        WrongLockTck.lock = EditedScripts::openUnedited;
        List<String> cases = new ArrayList<>(SuiteRun.quickCases(Suite.class, LONGEST));
        List<String> missed = new ArrayList<>();
        StringBuilder report = new StringBuilder();
        for (String file : FILES) {
            if (!wanted.equals("all") && !List.of(wanted.split(",")).contains(file)) {
                continue;
            }
            int caught = 0;
            int explainedHere = 0;
            Map<String, Integer> by = new TreeMap<>();
            List<ScriptMutant> mutants = ScriptMutant.of(file + ".lua", text(file)).stream()
                    .filter(ScriptMutantsTest::isScript)
                    .toList();
            for (ScriptMutant mutant : mutants) {
                Optional<String> killer = explained.containsKey(mutant.key())
                        ? Optional.empty()
                        : firstFailure(url -> EditedScripts.open(url, mutant.edit()), cases);
                if (killer.isPresent()) {
                    cases.remove(killer.get());
                    cases.add(0, killer.get()); // it may well tell the next one, too
                    caught++;
                    by.merge(rule(killer.get()), 1, Integer::sum);
                } else if (explained.containsKey(mutant.key())) {
                    explainedHere++;
                } else {
                    missed.add(mutant.key());
                }
                log(killer.map(name -> "caught by " + name).orElse("not caught") + "  " + mutant.key());
            }
            String rules = by.entrySet().stream()
                    .map(entry -> entry.getKey() + " " + entry.getValue())
                    .collect(Collectors.joining(", "));
            report.append("| `")
                    .append(file)
                    .append(".lua` | ")
                    .append(mutants.size())
                    .append(" | ")
                    .append(caught)
                    .append(" | ")
                    .append(explainedHere)
                    .append(" | ")
                    .append(rules)
                    .append(" |\n");
        }
        log(report.toString());

        assertThat(missed)
                .as("what no case tells and nothing explains; caught are\n%s", report)
                .isEmpty();
    }

    /** Whether the server takes the scripts with it; what it does not take would be told by anything. */
    private static boolean isScript(ScriptMutant mutant) {
        try {
            EditedScripts.texts(mutant.edit()).forEach(text -> server.command("SCRIPT", "LOAD", text));
            return true;
        } catch (RedisErrorException refused) {
            return false;
        }
    }

    private static Optional<String> firstFailure(Function<String, LockBackend> lock, List<String> cases) {
        server.flush();
        WrongLockTck.lock = lock;
        return SuiteRun.firstFailure(Suite.class, cases);
    }

    private static String text(String file) throws IOException {
        try (InputStream in = Script.class.getResourceAsStream(file + ".lua")) {
            return new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Map<String, String> explained() throws IOException {
        Map<String, String> explained = new TreeMap<>();
        Path list = Path.of("src", "test", "resources", "io", "mortise", "lock", "redis", "script-mutants.txt");
        if (Files.exists(list)) {
            for (String line : Files.readAllLines(list)) {
                int because = line.indexOf(" because ");
                if (because > 0) {
                    explained.put(line.substring(0, because), line.substring(because + 9));
                }
            }
        }
        return explained;
    }

    private static String rule(String name) {
        return name.substring(0, name.indexOf('_')).toUpperCase(Locale.ROOT);
    }

    private static void log(String line) throws IOException {
        Files.writeString(
                Path.of("target", "script-mutants.log"),
                line + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }
}
