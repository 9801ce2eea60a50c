// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.Test;

class HandleFactoryTest {
    private final HandleFactory handles = new HandleFactory();

    @Test
    void eachConnectionHasAHandleOfItsOwnAndStaysOpen() throws Exception {
        try (Connection one = DriverManager.getConnection("jdbc:h2:mem:");
                Connection other = DriverManager.getConnection("jdbc:h2:mem:")) {
            try (Handle ofOne = handles.of(one);
                    Handle ofOther = handles.of(other)) {
                assertThat(ofOne.getConnection()).isSameAs(one);
                assertThat(ofOther.getConnection()).isSameAs(other);
            }
            assertThat(one.isClosed()).isFalse();
            assertThat(other.isClosed()).isFalse();
        }
    }
}
