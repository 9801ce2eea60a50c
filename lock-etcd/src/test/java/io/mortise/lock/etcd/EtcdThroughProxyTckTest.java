// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd;

import io.mortise.lock.tck.Variant;
import io.mortise.lock.tck.servers.proxy.TcpProxy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** All clients go through a proxy, which can cut their connections: what depends on the watch by which waiters are told. */
@Variant(
        of = EtcdTckTest.class,
        rules = {"K", "O"})
class EtcdThroughProxyTckTest extends EtcdTckTest {
    private static TcpProxy proxy;

    @BeforeAll
    static void startProxy() {
        proxy = TcpProxy.to(server.host(), server.port());
    }

    @AfterAll
    static void stopProxy() {
        proxy.close();
    }

    @Override
    public String store() {
        return "etcd://" + proxy.host() + ":" + proxy.port();
    }

    @Override
    public void killConnections() {
        proxy.killConnections();
    }
}
