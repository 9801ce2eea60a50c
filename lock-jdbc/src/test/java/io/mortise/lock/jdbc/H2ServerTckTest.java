// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc;

import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.tck.LockBackendTck;
import io.mortise.lock.tck.fault.Route;
import io.mortise.lock.tck.servers.process.ClientClock;
import io.mortise.lock.tck.servers.proxy.TcpProxy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class H2ServerTckTest extends LockBackendTck implements TableFaults {
    @TempDir
    static Path folder;

    static H2Process server;

    @BeforeAll
    static void start() throws IOException {
        server = H2Process.start(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected String store() {
        return server.url();
    }

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
        server.pause();
    }

    @Override
    public void resumeStore() {
        server.resume();
    }

    @Override
    public void restartStore() {
        server.restart();
    }

    @Override
    public Route route() {
        TcpProxy proxy = TcpProxy.to("127.0.0.1", server.port());
        String url = H2Process.urlAt(proxy.host(), proxy.port());
        return new Route(url, proxy::freeze, proxy::heal, proxy::delayReplies, proxy::close);
    }
}
