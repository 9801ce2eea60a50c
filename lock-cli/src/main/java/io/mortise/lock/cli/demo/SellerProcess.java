// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.demo;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One child process of the demo that sells coupons: starts it and reads its reports. */
final class SellerProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader reports;

    private SellerProcess(Process process) {
        this.process = process;
        this.reports = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts this program again. The URL is passed in the environment, because it may hold a password. */
    static SellerProcess start(List<String> arguments, @Nullable String store) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx256m"));
        if (Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED"); // SQLite's; Java 22 and later warn without it
        }
        String modules = System.getProperty("jdk.module.path");
        if (modules != null) {
            command.addAll(List.of("-p", absolute(modules), "--add-modules", "ALL-MODULE-PATH"));
        }
        Module module = SellerProcess.class.getModule();
        String main = "io.mortise.lock.cli.Main";
        command.addAll(
                module.isNamed()
                        ? List.of("-m", module.getName() + "/" + main)
                        : List.of("-cp", absolute(System.getProperty("java.class.path")), main));
        command.addAll(List.of("demo", "sell"));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        if (store != null) {
            builder.environment().put("MORTISE_STORE", store);
        }
        return new SellerProcess(builder.start());
    }

    private static String absolute(String path) {
        return Arrays.stream(path.split(File.pathSeparator))
                .map(element -> Path.of(element).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Waits until the process can begin; false if it ended instead. */
    boolean isReady() throws IOException {
        return "ready".equals(reports.readLine());
    }

    void go() throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
    }

    /** Reads the reports of its buyers until the process ends, and returns its exit code. */
    int listen(Consumer<PurchaseReport> ledger) throws IOException, InterruptedException {
        for (String line = reports.readLine(); line != null; line = reports.readLine()) {
            ledger.accept(PurchaseReport.parse(line));
        }
        return process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
