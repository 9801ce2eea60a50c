// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.LockClient;
import io.mortise.lock.spring.boot.AutoConfigureLocks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/** A test of a part of an application, with locks in memory. */
@ExtendWith(SpringExtension.class)
@ContextConfiguration(classes = Orders.class)
@AutoConfigureLocks
class OrdersTest {
    @Test
    void ordersArePaidUnderALock(@Autowired Orders orders, @Autowired LockClient locks) {
        int before = Orders.PAID.getOrDefault("test", 0);

        orders.pay("test");

        assertThat(Orders.PAID).containsEntry("test", before + 1);
        assertThat(locks.toString()).contains("memory:");
    }
}
