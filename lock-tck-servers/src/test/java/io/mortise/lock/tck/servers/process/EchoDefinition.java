// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.process;

import io.mortise.lock.tck.servers.support.EchoServer;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** {@link EchoServer} as a server of its own, behind a script that counts its starts. */
record EchoDefinition(Trait trait) implements ServerDefinition {
    private static final String SCRIPT = """
            echo start >>starts
            set -- "$@" "$(id -u)"
            case $1 in
                NONE) echo "start $(wc -l <starts)" && exec "$2" -cp "$3" "$4" "$5" ;;
                REFUSES_ROOT) echo "user $6" && exec "$2" -cp "$3" "$4" "$5" ;;
                IS_A_CHILD) "$2" -cp "$3" "$4" "$5" & wait ;;
                ENDS) echo "I would rather not" && exit 3 ;;
                IS_SILENT) echo "I hear nothing" && exec sleep 60 ;;
            esac
            """;

    /** What is special. */
    enum Trait {
        NONE,
        REFUSES_ROOT,
        IS_A_CHILD,
        ENDS,
        IS_SILENT
    }

    static TestServer start() {
        return start(Trait.NONE);
    }

    static TestServer start(Trait trait) {
        return start(trait, new ServerProgram(Path.of("/bin/sh"), Optional.empty(), ""));
    }

    static TestServer start(Trait trait, ServerProgram shell) {
        return ServerProcess.start(new EchoDefinition(trait), shell);
    }

    @Override
    public String program() {
        return "echo-server";
    }

    @Override
    public List<String> arguments(ServerLocation location) {
        return List.of(
                "-c",
                "cd '" + location.data() + "'\n" + SCRIPT,
                "echo-server",
                trait.name(),
                ProcessHandle.current().info().command().orElseThrow(),
                System.getProperty("java.class.path"),
                EchoServer.class.getName(),
                String.valueOf(location.port()));
    }

    @Override
    public void probe(Socket connection) throws IOException {
        connection.getOutputStream().write('?');
        connection.getInputStream().read();
    }

    @Override
    public boolean refusesRoot() {
        return trait == Trait.REFUSES_ROOT;
    }

    @Override
    public Duration startLimit() {
        return Duration.ofSeconds(trait == Trait.IS_SILENT ? 1 : 60);
    }
}
