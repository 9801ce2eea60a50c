// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mortise migrate} moves jobs from one file to another. */
class MigrateTest {
    @TempDir
    private Path directory;

    private String old = "";
    private String migration = "";

    @BeforeEach
    void nameStores() {
        old = "jdbc:sqlite:" + directory.resolve("old.db");
        migration = "migrate:orders from " + old + " to jdbc:sqlite:" + directory.resolve("new.db");
    }

    private record Outcome(int code, String out, String err) {}

    private Outcome mortise(String... arguments) {
        try (Mortise mortise = Mortise.start(directory, arguments)) {
            int code = mortise.exitCode();
            return new Outcome(code, mortise.out(), mortise.err());
        }
    }

    private Outcome migrate(String what, String... options) {
        List<String> line = new ArrayList<>(List.of("migrate", what, migration, "--json"));
        line.addAll(List.of(options));
        return mortise(line.toArray(String[]::new));
    }

    private void isIn(String window, boolean changed, Outcome outcome) {
        assertThat(outcome.code()).as("%s", outcome).isZero();
        assertThat(outcome.out())
                .startsWith("{\"migration\":\"orders\",\"started\":true,\"window\":\"" + window + "\"")
                .endsWith("\"changed\":" + changed + "}\n");
    }

    private void start() {
        isIn("OLD_AND_DUAL", true, migrate("start", "--bound", "4s"));
    }

    private void jobsRun(String store) {
        Outcome outcome = mortise("run", "--store", store, "--no-wait", "job", "--", "true");
        assertThat(outcome).isEqualTo(new Outcome(0, "", ""));
    }

    @Test
    @DisplayName("from one store to the other, with jobs in each window, and each command twice")
    void there() {
        jobsRun(old);
        Outcome plan = migrate("plan");
        assertThat(plan.code()).as("%s", plan).isZero();
        assertThat(plan.out()).contains("\"register\":\"to\"", "\"tokens_may_fall_forth\":false");
        assertThat(migrate("status")).isEqualTo(new Outcome(1, "{\"migration\":\"orders\",\"started\":false}\n", ""));
        assertThat(migrate("advance", "--to", "DUAL").code()).isEqualTo(1);
        start();
        isIn("OLD_AND_DUAL", false, migrate("start"));
        jobsRun(old);
        jobsRun(migration);
        isListed();
        isIn("DUAL", true, migrate("advance", "--to", "dual"));
        isIn("DUAL", false, migrate("advance", "--to", "DUAL"));
        jobsRun(migration);
        Outcome left = migrate("advance", "--to", "DUAL_AND_NEW", "--plain-clients-ended");
        isIn("DUAL_AND_NEW", true, left);
        assertThat(left.err()).startsWith("mortise: waits 5 s until every process knows of the window DUAL");
        jobsRun(migration);
        isIn("NEW", true, migrate("advance", "--to", "NEW"));
        jobsRun(migration);

        assertThat(migrate("finish").code()).isEqualTo(64);
        Outcome mistyped = migrate("finish", "--confirm", "order");
        assertThat(mistyped.code()).isEqualTo(64);
        assertThat(mistyped.err()).contains("is named 'orders', not 'order'");
        isIn("NEW", true, migrate("finish", "--confirm", "orders"));
        isIn("NEW", false, migrate("finish", "--confirm", "orders"));
        Outcome noWay = migrate("back", "--to", "DUAL_AND_NEW");
        assertThat(noWay.code()).isEqualTo(1);
        assertThat(noWay.err()).contains("no way back").hasLineCount(1);
        jobsRun("jdbc:sqlite:" + directory.resolve("new.db"));
        Outcome status = mortise("migrate", "status", "--store", migration);
        assertThat(status.code()).isZero();
        assertThat(status.out()).contains("window NEW", "finished", "give every process the URL of the new store");
    }

    private void isListed() {
        String script = "echo $$ > main; while :; do sleep 0.05; done";
        try (Mortise job = Mortise.start(directory, "run", "--store", migration, "long", "--", "sh", "-c", script)) {
            Processes.number(directory.resolve("main"));
            Processes.until(() -> migrate("status").out().contains("\"processes_in_old_and_dual\":1,"));
            Processes.until(() -> mortise("migrate", "status", migration)
                    .out()
                    .matches(
                            "(?s).* follow it, and what each has read: 1\n    OLD_AND_DUAL .+@.+/" + job.pid() + "\n"));
            assertThat(mortise("ls", "--store", migration).out())
                    .startsWith("long ")
                    .hasLineCount(1);
            job.signal("TERM");
            int unused = job.exitCode();
        }
    }

    @Test
    @DisplayName("back again, given up, and begun again")
    void back() {
        start();
        isIn("DUAL", true, migrate("advance", "--to", "DUAL"));
        isIn("OLD_AND_DUAL", true, migrate("back", "--to", "OLD_AND_DUAL", "--plain-clients-ended"));
        assertThat(migrate("abort").code()).isEqualTo(1);
        isIn("OLD", true, migrate("back", "--to", "OLD"));
        jobsRun(migration);
        isIn("OLD", true, migrate("abort"));
        isIn("OLD", false, migrate("abort"));
        jobsRun(old);
        isIn("OLD_AND_DUAL", true, migrate("start", "--bound", "4s"));
    }

    @Test
    @DisplayName("DUAL is not left without the word that no other clients are there, nor while one holds a lock")
    void word() {
        start();
        Outcome early = migrate("advance", "--to", "DUAL", "--plain-clients-ended");
        assertThat(early.code()).isEqualTo(64);
        assertThat(early.err()).contains("counts only in the window DUAL");
        isIn("DUAL", true, migrate("advance", "--to", "DUAL"));
        Outcome unsaid = migrate("advance", "--to", "DUAL_AND_NEW");
        assertThat(unsaid.code()).isEqualTo(64);
        assertThat(unsaid.err()).contains("leaves the old store", "say --plain-clients-ended");
        String script = "echo $$ > main; while :; do sleep 0.05; done";
        try (Mortise plain = Mortise.start(directory, "run", "--store", old, "other", "--", "sh", "-c", script)) {
            Processes.number(directory.resolve("main"));
            Outcome refused = migrate("advance", "--to", "DUAL_AND_NEW", "--plain-clients-ended");
            assertThat(refused.code()).as("%s", refused).isEqualTo(1);
            assertThat(refused.err()).contains("held in the old store alone", "'other' by ");
            plain.signal("TERM");
            int unused = plain.exitCode();
        }
        isIn("DUAL_AND_NEW", true, migrate("advance", "--to", "DUAL_AND_NEW", "--plain-clients-ended"));
    }

    @Test
    @DisplayName("killed in the middle of a wait, and done again")
    void killed() {
        try (Mortise starting = Mortise.start(directory, "migrate", "start", migration, "--bound", "4s")) {
            Processes.until(() -> starting.err().contains("waits"));
            starting.signal("KILL");
            assertThat(starting.exitCode()).isEqualTo(137);
        }
        Outcome status = migrate("status");
        assertThat(status.out()).contains("\"window\":\"DUAL\",\"mode\":\"DUAL\",\"direction\":\"OLD\"");
        isIn("OLD_AND_DUAL", true, migrate("start"));
        assertThat(migrate("status").out()).contains("\"bound_ms\":4000,");
    }

    @Test
    @DisplayName("64 for a URL that is none of a migration, or of another one")
    void wrong() {
        Outcome none = mortise("migrate", "status", old);
        assertThat(none.code()).isEqualTo(64);
        assertThat(none.err()).contains("migrate:NAME from URL to URL").hasLineCount(1);
        start();
        Outcome swapped = mortise(
                "migrate",
                "status",
                "migrate:orders?register=from from jdbc:sqlite:" + directory.resolve("new.db") + " to " + old);
        assertThat(swapped.code()).as("%s", swapped).isEqualTo(64);
        assertThat(swapped.err()).contains("and this client was told from").hasLineCount(1);
        Outcome away = mortise("migrate", "status", "migrate:orders from " + old + " to redis://127.0.0.1:1");
        assertThat(away.code()).as("%s", away).isEqualTo(64);
        assertThat(away.err())
                .contains("the store after 'to' keeps no register", "register=from")
                .hasLineCount(1);
        Outcome inMemory = mortise("migrate", "plan", "migrate:orders from memory:a to memory:b");
        assertThat(inMemory.code()).as("%s", inMemory).isZero();
        assertThat(mortise("migrate").err()).contains("say what to do: plan, start, status");
        assertThat(migrate("advance", "--to", "OLD").err()).contains("no window comes before OLD");
        assertThat(migrate("start", "--bound", "2h").code()).isZero();
    }
}
