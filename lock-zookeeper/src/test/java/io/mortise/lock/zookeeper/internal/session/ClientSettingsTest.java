// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.zookeeper.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientSettingsTest {
    private final Properties before = (Properties) System.getProperties().clone();

    @AfterEach
    void restore() {
        System.setProperties(before);
    }

    @Test
    void theyAreThoseThatZooKeeperReads() {
        Map<String, String> given = new LinkedHashMap<>();
        given.put(ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT, "4711");
        given.put(ZKClientConfig.ZOOKEEPER_SERVER_PRINCIPAL, "zk/host");
        given.put(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, "false");
        given.put(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, "Locks");
        given.put(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "org.example.Socket");
        given.put(ZKConfig.JUTE_MAXBUFFER, "123456");
        given.put(ZKConfig.KINIT_COMMAND, "/opt/kinit");
        given.put(ZKConfig.JGSS_NATIVE, "true");
        given.put("zookeeper.ssl.trustStore.location", "/etc/trust");
        given.forEach(System::setProperty);

        ZKClientConfig settings = ClientSettings.fromSystemProperties();
        ZKClientConfig own = new ZKClientConfig();

        given.forEach((name, value) -> {
            assertThat(settings.getProperty(name)).as(name).isEqualTo(value);
            assertThat(own.getProperty(name)).as(name).isEqualTo(value);
        });
        assertThat(settings.getBoolean(ZKClientConfig.SECURE_CLIENT)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", " TRUE "})
    void withTlsTheyAreZooKeepersOwn(String wanted) {
        System.setProperty(ZKClientConfig.SECURE_CLIENT, wanted);

        ZKClientConfig settings = ClientSettings.fromSystemProperties();

        assertThat(settings.getClass()).isEqualTo(ZKClientConfig.class);
        assertThat(settings.getBoolean(ZKClientConfig.SECURE_CLIENT)).isTrue();
    }
}
