// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring.boot;

import io.mortise.lock.LockClient;
import io.mortise.lock.LockClientBuilder;
import io.mortise.lock.LockConfigurationException;
import io.mortise.lock.jdbc.JdbcBackend;
import io.mortise.lock.redis.RedisBackend;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.zookeeper.ZooKeeperBackend;
import javax.sql.DataSource;
import org.apache.curator.framework.CuratorFramework;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationContext;
import org.springframework.util.ClassUtils;
import redis.clients.jedis.RedisClient;

/** The store that an application's properties and beans name. */
final class ConfiguredStore {
    private final MortiseProperties properties;
    private final ApplicationContext application;

    ConfiguredStore(MortiseProperties properties, ApplicationContext application) {
        this.properties = properties;
        this.application = application;
    }

    /**
     * {@return a builder of its client}
     *
     * @throws LockConfigurationException if nothing names a store, or if what is named is not there
     */
    LockClientBuilder builder() {
        String store = properties.store() == null ? "" : properties.store().strip();
        ObjectProvider<LockBackend> own = application.getBeanProvider(LockBackend.class);
        LockBackend backend = own.getIfUnique();
        if (backend != null) {
            if (!store.isEmpty()) {
                throw new LockConfigurationException(
                        "the application declares a LockBackend, and mortise.store names another"
                                + " store; remove one of them");
            }
            return over(backend);
        }
        return switch (store) {
            case "" ->
                throw new LockConfigurationException(
                        "nothing says where locks are: set mortise.store to a store URL, such as"
                                + " redis://localhost:6379, or to datasource, curator or redis for the connections of this application");
            case "datasource" -> {
                check(store, "lock-jdbc", "io.mortise.lock.jdbc.JdbcBackend");
                yield over(OverDataSource.open(application));
            }
            case "curator" -> {
                check(store, "lock-zookeeper", "io.mortise.lock.zookeeper.ZooKeeperBackend");
                yield over(OverCurator.open(application));
            }
            case "redis" -> redis();
            default -> at(store, properties.password());
        };
    }

    private void check(String store, String module, String type) {
        if (!isPresent(type)) {
            throw new LockConfigurationException(
                    "mortise.store is " + store + ", which needs a module that is missing: add io.mortise:" + module);
        }
    }

    private boolean isPresent(String type) {
        return ClassUtils.isPresent(type, application.getClassLoader());
    }

    private LockClientBuilder over(LockBackend backend) {
        if (properties.password() != null) {
            throw new LockConfigurationException(
                    "mortise.password has no effect: the connections of the application have their own");
        }
        return LockClient.builder(backend);
    }

    private static LockClientBuilder at(String url, @Nullable String password) {
        LockClientBuilder builder = LockClient.builder(url);
        return password == null ? builder : builder.password(password);
    }

    private LockClientBuilder redis() {
        check("redis", "lock-redis", "io.mortise.lock.redis.RedisBackend");
        if (isPresent("redis.clients.jedis.RedisClient")) {
            LockBackend backend = OverRedisClient.open(application);
            if (backend != null) {
                return over(backend);
            }
        }
        SpringRedis spring = SpringRedis.of(application.getEnvironment());
        return at(spring.url(), properties.password() == null ? spring.password() : properties.password());
    }

    // Each loads the classes of one store, which the others do not have.

    private static final class OverDataSource {
        static LockBackend open(BeanFactory beans) {
            return JdbcBackend.of(one(beans, DataSource.class));
        }
    }

    private static final class OverCurator {
        static LockBackend open(BeanFactory beans) {
            return ZooKeeperBackend.of(one(beans, CuratorFramework.class));
        }
    }

    private static final class OverRedisClient {
        static @Nullable LockBackend open(BeanFactory beans) {
            RedisClient client = beans.getBeanProvider(RedisClient.class).getIfUnique();
            return client == null ? null : RedisBackend.builder(client).build();
        }
    }

    private static <T> T one(BeanFactory beans, Class<T> type) {
        T bean = beans.getBeanProvider(type).getIfUnique();
        if (bean == null) {
            throw new LockConfigurationException("mortise.store needs one bean of type " + type.getSimpleName()
                    + ", and the application has none, or several of which none is primary");
        }
        return bean;
    }
}
