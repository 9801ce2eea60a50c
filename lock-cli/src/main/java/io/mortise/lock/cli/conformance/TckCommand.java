// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.conformance;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.mortise.lock.Lease;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.cli.console.Console;
import io.mortise.lock.cli.console.ExitCode;
import io.mortise.lock.cli.console.LogSentences;
import io.mortise.lock.cli.console.Printable;
import io.mortise.lock.cli.store.StoreOptions;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mortise tck}: runs the conformance suite against a store that is there. */
@Command(
        name = "tck",
        description = {
            "Tests whether a store keeps the rules of a lock, with a suite of a few minutes.",
            "The names of all its locks begin with a prefix of this run. The store must not be under load, and nothing is done to"
                    + " it: cases that need it to fail are left out."
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:all rules that were tested are kept",
            "1:a rule is broken",
            "64:the command line, the store's URL or its file is wrong, or the store refuses for good",
            "69:the store did not answer",
            "70:an error in mortise itself",
            "74:standard output could not be written",
            "141:the reader of standard output has gone"
        })
public final class TckCommand implements Callable<Integer> {
    private static final Duration USUAL_LEASE = Duration.ofSeconds(1);
    private static final String SCENE = "io.mortise.lock.tck.scene.Scene";
    private static final String REPORT = "mortise.tck.report";

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Parameters(arity = "0..1", paramLabel = "URL", description = "The store, instead of --store.")
    private @Nullable String url;

    @Option(
            names = "--cases",
            paramLabel = "CASES",
            split = ",",
            description =
                    "Only these, such as E1,F or d5_anInterruptedThreadStillReleases: rules, groups of rules, or cases.")
    private List<String> cases = new ArrayList<>();

    @Option(
            names = "--lease",
            paramLabel = "TIME",
            description =
                    "The lease of most cases, 1s unless the store's are longer or shorter. A slow store needs a longer one.")
    private @Nullable Duration lease;

    @Option(names = "--report", paramLabel = "DIR", description = "Write a report there, as a page and as a JSON file.")
    private @Nullable Path report;

    @Option(
            names = "--jar",
            paramLabel = "FILE",
            description =
                    "A jar with a backend that is not one of mortise's own, or with what it needs. May be repeated.")
    private List<Path> jars = new ArrayList<>();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        StoreAddress tested = new StoreAddress("mortise-tck-" + random() + ":", readable(jars), store.url(url));
        Set<String> chosen = CaseSelection.named(LiveStore.class, cases);
        tested.useJars();
        ask(tested);
        PrintWriter out = spec.commandLine().getOut();
        try (LockBackend backend = tested.open()) {
            LeaseBounds bounds = backend.leaseBounds();
            LiveStore.test(tested, lease(bounds), bounds.afterCrash());
            out.print("the suite runs on "
                    + Printable.of(StoreUrl.parse(tested.url()).toString()) + ", with " + tested + "\n");
            out.flush();
        }
        if (report != null) {
            System.setProperty(
                    REPORT, Files.createDirectories(report).toAbsolutePath().toString());
        }
        // Cases provoke what is warned of.
        LogSentences.silence();
        Progress progress = new Progress(out);
        run(chosen, progress);
        progress.finish();
        if (progress.executed() == 0) {
            Console.say("no case was run: each that was chosen does not apply to this store");
        }
        return progress.failed() == 0 ? ExitCode.OK : ExitCode.NO;
    }

    /** Lets a client say in its words what is wrong with the URL, or that nobody answers, before each case would say so. */
    private static void ask(StoreAddress tested) throws InterruptedException {
        try (LockClient client = LockClient.connect(tested.url())) {
            client.lock(tested.prefix() + "first question").tryAcquire().ifPresent(Lease::release);
        }
    }

    private static void run(Set<String> cases, Progress progress) {
        // Of what may be on the class path of a user only our own listener is wanted.
        LauncherConfig config = LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .enableLauncherSessionListenerAutoRegistration(false)
                .enableLauncherDiscoveryListenerAutoRegistration(false)
                .enablePostDiscoveryFilterAutoRegistration(false)
                .build();
        LauncherFactory.create(config)
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(cases.stream()
                                        .map(name -> selectMethod(LiveStore.class, name, SCENE))
                                        .toList())
                                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                                .build(),
                        progress);
    }

    private Duration lease(LeaseBounds bounds) {
        if (lease != null && !bounds.allow(lease)) {
            throw new LockConfigurationException("--lease must be between " + bounds.shortest() + " and "
                    + bounds.longest() + ", which are the bounds of this store");
        }
        if (lease != null) {
            return lease;
        }
        if (USUAL_LEASE.compareTo(bounds.shortest()) < 0) {
            return bounds.shortest();
        }
        return USUAL_LEASE.compareTo(bounds.longest()) > 0 ? bounds.longest() : USUAL_LEASE;
    }

    private static List<Path> readable(List<Path> jars) {
        for (Path jar : jars) {
            if (!Files.isReadable(jar)) {
                throw new LockConfigurationException("the file of --jar cannot be read: " + jar);
            }
        }
        return jars;
    }

    private static String random() {
        byte[] bytes = new byte[6];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
