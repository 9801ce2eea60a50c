// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.fault.Route;
import io.mortise.lock.tck.servers.process.ClientClock;
import io.mortise.lock.tck.servers.process.TestServer;
import io.mortise.lock.tck.servers.proxy.TcpProxy;
import java.time.Duration;
import java.util.Map;

/** The suite on a server that can be frozen, restarted and cut off, and on tables that can be changed behind a holder's back. */
abstract class ServerTck extends LockBackendTck implements TableFaults {
    abstract TestServer server();

    /** The URL of the same database, by way of a proxy. */
    abstract String urlAt(String host, int port);

    @Override
    protected LockBackend open(String store) {
        return new JdbcBackendProvider().open(StoreUrl.parse(store));
    }

    @Override
    public String tables() {
        return store();
    }

    @Override
    public Map<String, String> environmentWithClock(Duration ahead) {
        return ClientClock.environment(ahead);
    }

    @Override
    public void pauseStore() {
        server().pause();
    }

    @Override
    public void resumeStore() {
        server().resume();
    }

    @Override
    public void restartStore() {
        server().restart();
    }

    @Override
    public Route route() {
        TcpProxy proxy = TcpProxy.to(server().host(), server().port());
        String url = urlAt(proxy.host(), proxy.port());
        return new Route(url, proxy::freeze, proxy::heal, proxy::delayReplies, proxy::close);
    }
}
