// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import java.util.Locale;

/** Where servers come from. */
enum ServerSource {
    /** A program of this machine, or of the cache, or fetched into it; a container where there is none. */
    ANY {
        @Override
        TestServer start(ServerKind kind) {
            ServerProgram program;
            try {
                program = ServerProgram.find(kind.program());
            } catch (ServerUnavailableException missing) {
                return instead(kind, missing);
            }
            return ServerProcess.start(kind, program);
        }

        private TestServer instead(ServerKind kind, ServerUnavailableException missing) {
            if (kind.image().isEmpty()) {
                throw missing;
            }
            if (!ServerContainer.isPossible()) {
                throw new ServerUnavailableException(missing.getMessage() + ", or start a Docker engine");
            }
            return ServerContainer.start(kind, kind.image().get());
        }
    },

    /** A container, though there be a program; of those that do not run in one, a process. */
    DOCKER {
        @Override
        TestServer start(ServerKind kind) {
            if (kind.image().isEmpty()) {
                return ANY.start(kind);
            }
            if (!ServerContainer.isPossible()) {
                throw new ServerUnavailableException(
                        "no Docker engine answers; start one, or run without the system property " + PROPERTY);
            }
            return ServerContainer.start(kind, kind.image().get());
        }
    };

    private static final String PROPERTY = "mortise.servers";

    static ServerSource chosen() {
        return valueOf(System.getProperty(PROPERTY, "any").toUpperCase(Locale.ROOT));
    }

    abstract TestServer start(ServerKind kind);
}
