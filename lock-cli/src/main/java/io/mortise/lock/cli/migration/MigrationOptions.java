// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.migration;

import io.mortise.lock.cli.console.Console;
import io.mortise.lock.cli.console.ExitCode;
import io.mortise.lock.cli.console.Json;
import io.mortise.lock.cli.console.Printable;
import io.mortise.lock.cli.store.StoreOptions;
import io.mortise.lock.migration.Migration;
import io.mortise.lock.migration.MigrationException;
import io.mortise.lock.migration.MigrationStatus;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The options and the output that the sub-commands of {@code migrate} share. */
final class MigrationOptions {
    static final String NOT_CHANGED = "1:refused, or not started, and nothing was changed";
    static final String WRONG =
            "64:the command line, the URL of a store or its file is wrong, or a store refuses for good";
    static final String NO_ANSWER = "69:a store did not answer; do it again";
    static final String OWN_ERROR = "70:an error in mortise itself";
    static final String NOT_WRITTEN = "74:standard output could not be written";
    static final String READER_GONE = "141:the reader of standard output has gone";

    /** Between two lines that tell how long a wait still lasts. */
    private static final Duration PAUSE = Duration.ofSeconds(5);

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Option(names = "--json", description = "Print a JSON object on one line.")
    private boolean json;

    @Parameters(
            arity = "0..1",
            paramLabel = "URL",
            description = "The migration, 'migrate:NAME from URL to URL', instead of --store.")
    private @Nullable String url;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    /** The answer, for programs and for people; not {@code yes} if there is nothing to tell. */
    record Reply(boolean yes, Json json, String text) {
        /** With whether the command has changed anything, for programs. */
        Reply changed(boolean changed) {
            return new Reply(yes, json.put("changed", changed), text);
        }
    }

    /** Opens both stores, prints the answer, and returns the exit code. */
    int answer(Function<Migration, Reply> question) {
        try (Migration migration = Migration.open(store.url(url))) {
            Reply reply = question.apply(migration);
            spec.commandLine().getOut().print((json ? reply.json() : reply.text()) + "\n");
            return reply.yes() ? ExitCode.OK : ExitCode.NO;
        } catch (MigrationException refused) {
            Console.say(Printable.of(String.valueOf(refused.getMessage())));
            return ExitCode.NO;
        }
    }

    /** Something that is done to a migration that was started; answers whether anything was changed. */
    @FunctionalInterface
    interface Change {
        boolean make(Migration migration, MigrationStatus before);
    }

    /** Makes a change, and tells how far the migration is then. */
    int change(Change change) {
        return answer(migration -> {
            Optional<MigrationStatus> before = migration.status();
            boolean changed = before.isPresent() && change.make(migration, before.get());
            return stands(migration).changed(changed);
        });
    }

    /** How far it is now. */
    static Reply stands(Migration migration) {
        return migration
                .status()
                .map(status -> new Reply(
                        true, MigrationText.json(migration.name(), status), MigrationText.of(migration.name(), status)))
                .orElseGet(() -> new Reply(
                        false,
                        new Json().put("migration", migration.name()).put("started", false),
                        migration.name() + ": not started"));
    }

    ParameterException mistake(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** Tells on standard error what is waited for, and every few seconds for how long. */
    static Migration.Progress progress() {
        return new Migration.Progress() {
            private @Nullable Duration told;

            @Override
            public void waiting(Duration left) {
                Duration before = told;
                if (before == null) {
                    Console.say("waits " + seconds(left)
                            + " until every process knows of the window DUAL or has given up its locks; to end this changes"
                            + " nothing");
                } else if (before.minus(left).compareTo(PAUSE) >= 0) {
                    Console.say("still waits " + seconds(left));
                } else {
                    return;
                }
                told = left;
            }
        };
    }

    private static String seconds(Duration time) {
        return time.plusMillis(999).toSeconds() + " s";
    }
}
