// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.spring;

import io.mortise.lock.DistributedLock;
import io.mortise.lock.LockClient;
import io.mortise.lock.LockConfigurationException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.util.function.SingletonSupplier;

/**
 * Lets methods with {@link Locked} and {@link LockedJob} run under their locks, whichever beans have them. The Spring Boot starter makes
 * one; an application without Spring Boot declares it as a bean, in a static method, beside a bean of type {@link LockClient}:
 *
 * <pre>{@code
 * @Bean
 * static LockedMethods lockedMethods() {
 *     return new LockedMethods();
 * }
 * }</pre>
 *
 * <p>Locks go around all else that acts on such a method, transactions too. A bean whose annotations cannot work is refused when it is
 * made, with a {@link LockConfigurationException} that says why. Thread-safe.
 */
@SuppressWarnings("serial") // its parent is serializable, and no bean post-processor is ever serialized
public final class LockedMethods extends AbstractBeanFactoryAwareAdvisingPostProcessor {
    private final transient Map<Key, LockedMethod> known = new ConcurrentHashMap<>();
    private transient @Nullable BeanFactory beans;

    private record Key(Method method, Class<?> type) {}

    /** Makes proxies of classes, as Spring Boot does by default. */
    public LockedMethods() {
        setProxyTargetClass(true);
        // The lock outlives the transaction.
        setBeforeExistingAdvisors(true);
        advisor = new DefaultPointcutAdvisor(
                new Annotated(),
                new LockedMethodInterceptor(
                        SingletonSupplier.of(() -> beans().getBean(LockClient.class))::obtain,
                        SingletonSupplier.of(this::decorator)::obtain,
                        this::method));
    }

    private static final class Annotated extends StaticMethodMatcherPointcut {
        @Override
        public boolean matches(Method method, Class<?> type) {
            return LockedMethod.isLocked(AopUtils.getMostSpecificMethod(method, type));
        }
    }

    @Override
    public void setBeanFactory(BeanFactory factory) {
        super.setBeanFactory(factory);
        beans = factory;
    }

    private BeanFactory beans() {
        return Objects.requireNonNull(beans, "a bean factory: LockedMethods must be a bean");
    }

    /**
     * Checks the methods of a bean before anything acts on it.
     *
     * @throws LockConfigurationException if the lock of a method cannot work
     */
    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        Class<?> type = AopUtils.getTargetClass(bean);
        Set<Method> locked = MethodIntrospector.selectMethods(type, LockedMethod::isLocked);
        for (Method method : locked) {
            LockedMethod unused = method(AopUtils.getMostSpecificMethod(method, type), type);
        }
        return bean;
    }

    private LockDecorator decorator() {
        List<LockDecorator> all =
                beans().getBeanProvider(LockDecorator.class).orderedStream().toList();
        return lock -> {
            DistributedLock decorated = lock;
            for (LockDecorator each : all) {
                decorated = each.decorate(decorated);
            }
            return decorated;
        };
    }

    private LockedMethod method(Method method, Class<?> type) {
        return known.computeIfAbsent(new Key(method, type), key -> LockedMethod.of(method, type, this::resolved));
    }

    private String resolved(String text) {
        String value = beans() instanceof ConfigurableBeanFactory configurable
                ? configurable.resolveEmbeddedValue(text)
                : text;
        if (value != null && value.contains("${")) {
            throw new IllegalArgumentException("no property gives '" + text + "' its value");
        }
        return value == null ? "" : value;
    }
}
