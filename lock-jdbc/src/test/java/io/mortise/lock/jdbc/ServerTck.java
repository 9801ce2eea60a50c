// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.tck.fault.Route;
import io.mortise.lock.tck.servers.process.ClientClock;
import io.mortise.lock.tck.servers.proxy.TcpProxy;
import java.time.Duration;
import java.util.Map;

/** The suite on a server that can be frozen, restarted and cut off. */
abstract class ServerTck extends JdbcTck {
    abstract TestDatabase database();

    @Override
    public String store() {
        return database().url();
    }

    /** The URL that clients of the suite use for a URL of the database. */
    String clientUrl(String url) {
        return url;
    }

    @Override
    public Map<String, String> environmentWithClock(Duration ahead) {
        return ClientClock.environment(ahead);
    }

    @Override
    public void pauseStore() {
        database().server().pause();
    }

    @Override
    public void resumeStore() {
        database().server().resume();
    }

    @Override
    public void restartStore() {
        database().server().restart();
    }

    @Override
    public Route route() {
        TcpProxy proxy =
                TcpProxy.to(database().server().host(), database().server().port());
        String url = clientUrl(database().urlAt(proxy.host(), proxy.port()));
        return new Route(url, proxy::freeze, proxy::heal, proxy::delayReplies, proxy::close);
    }
}
