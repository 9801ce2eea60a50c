// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.servers;

import io.mortise.lock.tck.servers.definition.PgBouncerDefinition;
import io.mortise.lock.tck.servers.process.ForwardingServer;
import io.mortise.lock.tck.servers.process.ServerUnavailableException;

/**
 * A PgBouncer that a test starts in front of PostgreSQL: it gives each transaction whichever of its three server
 * connections is free.
 */
public final class PgBouncer extends ForwardingServer {
    private final PostgresServer behind;

    private PgBouncer(PostgresServer behind) {
        super(new PgBouncerDefinition(behind.host(), behind.port()));
        this.behind = behind;
    }

    /**
     * Starts one.
     *
     * @param behind the server that it pools connections to
     * @return the running pooler
     * @throws ServerUnavailableException if there is no {@code pgbouncer}, and none can be fetched
     */
    public static PgBouncer inFrontOf(PostgresServer behind) {
        return new PgBouncer(behind);
    }

    /**
     * The URL of the server's database through the pooler.
     *
     * @return as {@link PostgresServer#url()}, with prepared statements kept in the driver: those of a server connection are
     *     not found again on the next
     */
    public String url() {
        return behind.urlAt(host(), port()) + "&prepareThreshold=0";
    }
}
