// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.conventions.guide.cdi;

import io.mortise.lock.LockClient;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

@ApplicationScoped
public class Locks {
    @Produces
    @Singleton
    LockClient client() {
        return LockClient.connect(System.getProperty("mortise.store"));
    }

    void close(@Disposes LockClient client) {
        client.close();
    }
}
