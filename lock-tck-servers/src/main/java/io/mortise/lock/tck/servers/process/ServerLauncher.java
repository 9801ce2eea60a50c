// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers.process;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * Starts servers: as processes where their programs are on this machine or can be fetched, else in containers.
 *
 * <p>The system property {@code mortise.servers} set to {@code docker} asks for a container though the program is here, of all
 * servers that run in one.
 */
public final class ServerLauncher {
    private static final String PROPERTY = "mortise.servers";

    private ServerLauncher() {}

    private enum Preference {
        ANY,
        DOCKER
    }

    /**
     * Starts a server on a free port, with no data, and waits until it answers.
     *
     * @param definition what to start
     * @return the running server
     * @throws ServerUnavailableException if there is no program, none can be fetched, and no Docker engine answers
     */
    public static TestServer start(ServerDefinition definition) {
        Preference preference =
                Preference.valueOf(System.getProperty(PROPERTY, "any").toUpperCase(Locale.ROOT));
        Optional<ServerImage> image = definition.image();
        if (preference == Preference.DOCKER && image.isPresent()) {
            return container(
                    definition,
                    image.get(),
                    "no Docker engine answers; start one, or run without the system property " + PROPERTY);
        }
        ServerProgram program;
        try {
            program = program(definition);
        } catch (ServerUnavailableException missing) {
            return container(
                    definition, image.orElseThrow(() -> missing), missing.getMessage() + ", or start a Docker engine");
        }
        return ServerProcess.start(definition, program);
    }

    private static ServerProgram program(ServerDefinition definition) {
        Optional<Path> executable = definition.executable();
        return executable.isPresent()
                ? new ServerProgram(executable.get(), Optional.empty(), "")
                : ServerProgram.find(definition.program());
    }

    private static TestServer container(ServerDefinition definition, ServerImage image, String messageWithoutDocker) {
        if (!ServerContainer.isPossible()) {
            throw new ServerUnavailableException(messageWithoutDocker);
        }
        return ServerContainer.start(definition, image);
    }
}
