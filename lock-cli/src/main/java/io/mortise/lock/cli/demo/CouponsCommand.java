// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.demo;

import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.cli.console.Console;
import io.mortise.lock.cli.console.ExitCode;
import io.mortise.lock.cli.store.StoreOptions;
import io.mortise.lock.spi.StoreUrl;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code mortise demo coupons}: several processes sell the last coupons of a {@link Shop}. */
@Command(
        name = "coupons",
        description = "Lets several processes sell the last coupons out of a database table by read, decide and write,"
                + " each purchase under one lock, and counts what was sold twice. The table is in a SQLite file of its own,"
                + " whatever the lock store is.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:with the lock no coupon was oversold and no sale was lost, or without it some were",
            "1:it was the other way round",
            "64:the command line, the store's URL or its file is wrong, or the store refuses for good",
            "69:the store did not answer",
            "70:an error in mortise itself",
            "74:standard output could not be written",
            "141:the reader of standard output has gone"
        })
final class CouponsCommand implements Callable<Integer> {
    @Mixin
    private StoreOptions store = new StoreOptions();

    @Option(
            names = "--processes",
            paramLabel = "N",
            description = "Number of processes that sell (default: ${DEFAULT-VALUE}).")
    private int processes = 3;

    @Option(
            names = "--buyers",
            paramLabel = "N",
            description = "Number of buyers, of all processes together (default: ${DEFAULT-VALUE}).")
    private int buyers = 200;

    @Option(
            names = "--coupons",
            paramLabel = "N",
            description = "Number of coupons in stock (default: ${DEFAULT-VALUE}).")
    private int coupons = 100;

    @Option(names = "--without-lock", description = "Run the same code without the lock.")
    private boolean withoutLock;

    @Option(
            names = "--json",
            description = "Print the outcome as one line of JSON, and the progress on standard error.")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException, SQLException {
        if (processes < 1 || buyers < 1 || coupons < 0) {
            throw new ParameterException(
                    spec.commandLine(), "--processes and --buyers must be at least 1, --coupons at least 0");
        }
        String url = withoutLock ? null : store.url();
        if (url != null && url.startsWith("memory:") && processes > 1) {
            throw new LockConfigurationException(
                    "a memory: store lives in one process; choose another, or --processes 1");
        }
        Path directory = Files.createTempDirectory("mortise-demo-");
        Path file = directory.resolve("shop.db");
        try {
            Shop.create(file, coupons);
            SalesLedger ledger = new SalesLedger(processes);
            PrintWriter out =
                    json ? spec.commandLine().getErr() : spec.commandLine().getOut();
            try {
                out.println(coupons + " coupons, " + buyers + " buyers, " + processes + " processes, "
                        + (url == null ? "no lock" : "a lock in " + shown(url)));
                out.flush();
                int failure = new SellerProcesses(ledger, processes, buyers, file, url).run();
                if (failure != 0) {
                    Console.say("a process that sells failed; see above");
                    return failure;
                }
                return judge(out, ledger, file);
            } finally {
                out.flush();
            }
        } finally {
            for (String name : new String[] {"shop.db-wal", "shop.db-shm", "shop.db", ""}) {
                Files.deleteIfExists(directory.resolve(name));
            }
        }
    }

    private static String shown(String url) {
        try {
            return StoreUrl.parse(url).toString();
        } catch (IllegalArgumentException wrong) {
            throw new LockConfigurationException("not a store URL: " + wrong.getMessage(), wrong);
        }
    }

    private int judge(PrintWriter out, SalesLedger ledger, Path file) throws SQLException {
        SalesLedger.Result result;
        try (Shop shop = Shop.open(file)) {
            result = ledger.compare(coupons, shop.sales(), shop.remaining(), shop.buyers());
        }
        for (int process = 0; process < processes; process++) {
            out.println("  process " + (process + 1) + " sold " + ledger.soldBy(process));
        }
        if (!withoutLock) {
            out.println("  waiting for the lock: half of the buyers at most " + ledger.waitedMillis(0.5)
                    + " ms, 99 % at most " + ledger.waitedMillis(0.99) + " ms");
        }
        out.println("  sold " + result.sold() + ", oversold " + result.oversold() + ", lost " + result.lost());
        out.println(verdict(result));
        if (json) {
            spec.commandLine().getOut().print(ledger.json(result) + "\n");
        }
        return result.isRight() == withoutLock ? ExitCode.NO : ExitCode.OK;
    }

    private String verdict(SalesLedger.Result result) {
        if (withoutLock) {
            return result.isRight()
                    ? "Lucky: nothing went wrong this time. Try again, or with more buyers."
                    : "This is what happens without a lock: the same coupon was sold more than once.";
        }
        return result.isRight()
                ? "Every coupon was sold at most once: the lock holds."
                : "THE LOCK DID NOT HOLD. Please report this, with the store and its version.";
    }
}
