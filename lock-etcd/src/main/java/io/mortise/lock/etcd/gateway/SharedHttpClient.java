// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.etcd.gateway;

import java.net.http.HttpClient;
import java.time.Duration;

/** The JDK's client of HTTP, one for all gateways of this JVM: it has a thread and connections of its own, and before Java 21 no end. */
final class SharedHttpClient {
    // What HTTP/2 would bring, a gateway without TLS does not have.
    static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build();

    private SharedHttpClient() {}
}
