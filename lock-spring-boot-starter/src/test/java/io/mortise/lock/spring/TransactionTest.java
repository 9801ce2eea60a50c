// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.mortise.lock.LockClient;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** A lock outlives the transaction of its method: whoever gets it next sees what was committed. */
class TransactionTest {
    @Configuration(proxyBeanMethods = false)
    static class Database {
        @Bean
        DataSource dataSource() {
            JdbcDataSource database = new JdbcDataSource();
            database.setURL("jdbc:h2:mem:transactions-" + UUID.randomUUID());
            return database;
        }

        @Bean
        JdbcTransactionManager transactionManager(DataSource database) {
            return new JdbcTransactionManager(database);
        }

        @Bean
        LockClient lockClient() {
            return LockClient.connect("memory:transactions");
        }

        @Bean
        static LockedMethods lockedMethods() {
            return new LockedMethods();
        }
    }

    @EnableTransactionManagement(proxyTargetClass = true)
    static class ProxiesOfClasses {}

    @EnableTransactionManagement
    static class ProxiesOfInterfaces {}

    /** What callers see. */
    interface Ledger {
        void write();

        boolean heldAtTheCommit();
    }

    static class Orders implements Ledger {
        private final LockClient locks;
        private volatile boolean held;

        Orders(LockClient locks) {
            this.locks = locks;
        }

        @Override
        @Transactional
        @Locked(name = "orders")
        public void write() {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int status) {
                    held = status == STATUS_COMMITTED
                            && locks.lock("orders").holder().isPresent();
                }
            });
        }

        @Override
        public boolean heldAtTheCommit() {
            return held;
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {ProxiesOfClasses.class, ProxiesOfInterfaces.class})
    void theLockIsHeldUntilTheCommit(Class<?> proxies) {
        try (AnnotationConfigApplicationContext application =
                new AnnotationConfigApplicationContext(Database.class, proxies, Orders.class)) {
            Ledger ledger = application.getBean(Ledger.class);
            ledger.write();

            assertThat(ledger.heldAtTheCommit()).isTrue();
            assertThat(application.getBean(LockClient.class).lock("orders").holder())
                    .isEmpty();
        }
    }

    @Test
    void aProxyOfAnInterfaceIsEnough() {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        try (AnnotationConfigApplicationContext application = context) {
            application.registerBean("lockClient", LockClient.class, () -> LockClient.connect("memory:transactions"));
            application.registerBean("orders", Named.class);
            application.registerBean("lockedMethods", LockedMethods.class, () -> {
                LockedMethods methods = new LockedMethods();
                methods.setProxyTargetClass(false);
                return methods;
            });
            application.refresh();

            assertThat(application.getBean(HasName.class).lockName()).isEqualTo("named");
        }
    }

    /** Without an annotation: it stands at the method that the proxy calls. */
    interface HasName {
        String lockName();
    }

    /** With an annotation, which counts for all that implement it. */
    interface Locking {
        @Locked(name = "of the interface")
        String held();
    }

    static class Implementation implements Locking {
        @Override
        public String held() {
            return CurrentLease.get().lockName();
        }
    }

    @Test
    void theAnnotationMayStandAtAnInterface() {
        AnnotationConfigApplicationContext context =
                new AnnotationConfigApplicationContext(Database.class, Implementation.class);
        try (AnnotationConfigApplicationContext application = context) {
            assertThat(application.getBean(Locking.class).held()).isEqualTo("of the interface");
        }
    }

    static class Named implements HasName {
        @Override
        @Locked(name = "named")
        public String lockName() {
            return CurrentLease.get().lockName();
        }
    }
}
