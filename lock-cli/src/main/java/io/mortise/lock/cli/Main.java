// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.LockException;
import io.mortise.lock.LockStoreException;
import io.mortise.lock.cli.command.LsCommand;
import io.mortise.lock.cli.command.RevokeCommand;
import io.mortise.lock.cli.command.RunCommand;
import io.mortise.lock.cli.command.ShowCommand;
import io.mortise.lock.cli.conformance.CheckCommand;
import io.mortise.lock.cli.conformance.TckCommand;
import io.mortise.lock.cli.console.CommandArguments;
import io.mortise.lock.cli.console.Console;
import io.mortise.lock.cli.console.ExitCode;
import io.mortise.lock.cli.console.LogSentences;
import io.mortise.lock.cli.console.Printable;
import io.mortise.lock.cli.console.StandardOutput;
import io.mortise.lock.cli.console.TimeConverter;
import io.mortise.lock.cli.demo.DemoCommand;
import io.mortise.lock.cli.guard.GuardException;
import io.mortise.lock.cli.help.CompletionCommand;
import io.mortise.lock.cli.help.ManualCommand;
import io.mortise.lock.cli.migration.MigrateCommand;
import io.mortise.lock.cli.store.DefaultStore;
import io.mortise.lock.cli.watch.ServeCommand;
import io.mortise.lock.cli.watch.TopCommand;
import io.mortise.lock.spi.Secrets;
import java.lang.module.ModuleDescriptor;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The {@code mortise} command: lists the sub-commands, and turns a failure into a sentence and an exit code. */
@Command(
        name = "mortise",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = Main.Version.class,
        exitCodeOnInvalidInput = ExitCode.USAGE,
        exitCodeOnExecutionException = ExitCode.SOFTWARE)
public final class Main implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Runs the command that the user typed, and exits with its code. */
    public static void main(String[] args) {
        LogSentences.install();
        StandardOutput output = new StandardOutput();
        String[] arguments = CommandArguments.reread(args);
        int code = commandLine(arguments).setOut(output.writer()).execute(arguments);
        System.exit(output.finish(code));
    }

    /** Knows only the sub-command that the arguments begin with, as each costs time; all, if they begin with none. */
    static CommandLine commandLine(String... arguments) {
        CommandLine commandLine = new CommandLine(new Main());
        Map<String, Supplier<Object>> all = subcommands();
        String first = arguments.length == 0 ? "" : arguments[0];
        Set<String> wanted = all.containsKey(first) ? Set.of(first) : all.keySet();
        wanted.forEach(name ->
                commandLine.addSubcommand(Objects.requireNonNull(all.get(name)).get()));
        // An @ in an argument is the command's, as in curl -d @file.
        commandLine.setExpandAtFiles(false);
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.registerConverter(Duration.class, new TimeConverter());
        commandLine.setExecutionExceptionHandler((failure, line, parsed) -> explain(failure));
        commandLine.setParameterExceptionHandler((mistake, args) -> {
            Console.say(Printable.of(withoutSecrets(String.valueOf(mistake.getMessage()), args)) + "; see "
                    + mistake.getCommandLine().getCommandSpec().qualifiedName() + " --help");
            return ExitCode.USAGE;
        });
        commandLine
                .getCommandSpec()
                .usageMessage()
                .description("Distributed locks on the command line.")
                .footer(
                        "",
                        "The store is that of --store, of --store-file, of the variable MORTISE_STORE, or of the first line"
                                + " of ~/.config/mortise/store or /etc/mortise/store; without any, the file "
                                + DefaultStore.description() + ", for all processes of yours on this host.",
                        "Times are written 500ms, 30s, 5m or 1h30m.");
        return commandLine;
    }

    private static Map<String, Supplier<Object>> subcommands() {
        Map<String, Supplier<Object>> all = new LinkedHashMap<>();
        all.put("run", RunCommand::new);
        all.put("ls", LsCommand::new);
        all.put("show", ShowCommand::new);
        all.put("revoke", RevokeCommand::new);
        all.put("top", TopCommand::new);
        all.put("serve", ServeCommand::new);
        all.put("migrate", MigrateCommand::new);
        all.put("tck", TckCommand::new);
        all.put("check", CheckCommand::new);
        all.put("demo", DemoCommand::new);
        all.put("completion", () -> new CompletionCommand(Main::commandLine));
        all.put("manual", () -> new ManualCommand(Main::commandLine));
        return all;
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "say what to do: run, ls, show, revoke, top, serve, migrate, tck, check, demo, completion or manual");
    }

    /** The message about a mistake in the arguments quotes them, and one of them may be a URL, alone or behind {@code --store=}. */
    private static String withoutSecrets(String message, String[] args) {
        String clean = message;
        for (String arg : args) {
            String value = arg.replaceFirst("^-[^=:]*=", "");
            clean = value.matches("(?s).*[:@].*") ? Secrets.of(value).mask(clean) : clean;
        }
        return clean;
    }

    /** Every failure that has a sentence gets it, without a stack trace, and an exit code that scripts can rely on. */
    private static int explain(Exception failure) throws Exception {
        if (failure instanceof ExecutionException && failure.getCause() instanceof Exception cause) {
            return explain(cause);
        }
        int code;
        if (failure instanceof LockConfigurationException) {
            code = ExitCode.USAGE;
        } else if (failure instanceof LockStoreException) {
            code = ExitCode.UNAVAILABLE;
        } else if (failure instanceof LockException) {
            code = ExitCode.SOFTWARE;
        } else if (failure instanceof GuardException || failure instanceof UnsupportedOperationException) {
            code = ExitCode.UNABLE;
        } else {
            throw failure;
        }
        Console.say(Printable.of(String.valueOf(failure.getMessage())));
        return code;
    }

    /** The version of the jar, or of the module. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Optional.ofNullable(Main.class.getPackage().getImplementationVersion())
                    .or(() -> Optional.ofNullable(Main.class.getModule().getDescriptor())
                            .flatMap(ModuleDescriptor::rawVersion))
                    .orElse("(not packaged)");
            return new String[] {"mortise " + version};
        }
    }
}
