// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.cli.watch;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.cli.console.ExitCode;
import io.mortise.lock.cli.store.StoreOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code mortise serve}: shows the locks that are held on a page for browsers. */
@Command(
        name = "serve",
        description = {
            "Serves a page that shows the locks that are held, and changes nothing. Ends when it is interrupted.",
            "By default only this host can see it, and every user of it. It has no TLS: put a proxy before it for others."
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "64:the command line, the store's URL or a file is wrong, or the address cannot be served",
            "69:the store did not answer the first question",
            "70:an error in mortise itself",
            "78:the store cannot list",
            "130:interrupted, as by Ctrl-C"
        })
public final class ServeCommand implements Callable<Integer> {
    @Mixin
    private StoreOptions store = new StoreOptions();

    @Option(names = "--port", paramLabel = "PORT", description = "The port, 8765 by default; 0 takes any that is free.")
    private int port = 8765;

    @Option(
            names = "--address",
            paramLabel = "ADDRESS",
            description = "The address of this host to serve at, 127.0.0.1 by default. Others need --password-file.")
    private String address = "127.0.0.1";

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "A file whose first line is the password that browsers must send, with any user name.")
    private @Nullable Path passwordFile;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        Optional<String> password = Optional.ofNullable(passwordFile)
                .map(file -> StoreOptions.firstLine(file, "the file of --password-file", "a password"));
        InetAddress host = host();
        if (!host.isLoopbackAddress() && password.isEmpty()) {
            throw new LockConfigurationException(
                    "at " + address + " others than this host can see the page: give it a --password-file");
        }
        if (port < 0 || port > 65_535) {
            throw new LockConfigurationException("--port must be between 0 and 65535, not " + port);
        }
        try (LockClient client = store.connectToLook()) {
            LockWatch watch = new LockWatch(client, "");
            LockWatch.Look first = watch.firstLook();
            try (LockServer server = LockServer.start(new InetSocketAddress(host, port), watch, first, password)) {
                PrintWriter out = spec.commandLine().getOut();
                out.print("serving " + server.url() + "\n");
                out.flush();
                new CountDownLatch(1).await();
            } catch (IOException taken) {
                throw new LockConfigurationException(
                        "cannot serve at " + address + ":" + port + " (" + taken.getMessage()
                                + "); choose another --address or --port",
                        taken);
            }
        }
        return ExitCode.OK;
    }

    private InetAddress host() {
        try {
            return InetAddress.getByName(address);
        } catch (IOException unknown) {
            throw new LockConfigurationException("--address " + address + " is no address of this host", unknown);
        }
    }
}
