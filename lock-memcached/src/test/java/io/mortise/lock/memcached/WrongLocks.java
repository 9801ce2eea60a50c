// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.memcached;

import io.mortise.lock.memcached.item.Claims;
import io.mortise.lock.memcached.item.LockItem;
import io.mortise.lock.memcached.log.DriverLogger;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.Feature;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.SafetyLevel;
import io.mortise.lock.spi.StoreUrl;
import io.mortise.lock.spi.support.HostAndPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import net.spy.memcached.BinaryConnectionFactory;
import net.spy.memcached.CASResponse;
import net.spy.memcached.CASValue;
import net.spy.memcached.MemcachedClient;

/** Locks in memcached as tutorials make them, each right but for one mistake. */
final class WrongLocks {
    private WrongLocks() {}

    /** A client, and what a lock in memcached needs: an item with an owner and a time. */
    abstract static class WrongLock implements LockBackend {
        final MemcachedClient client;

        WrongLock(String url) {
            DriverLogger.install();
            HostAndPort server = HostAndPort.parse(StoreUrl.parse(url).hosts().get(0), 11211);
            try {
                client = new MemcachedClient(
                        new BinaryConnectionFactory(), List.of(new InetSocketAddress(server.host(), server.port())));
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }

        int expiration(Duration lease) {
            return LockItem.expiration(lease);
        }

        String value(ClaimRequest request) {
            return request.owner();
        }

        boolean tryAcquire(ClaimRequest request, String key) throws Exception {
            return client.add(key, expiration(request.lease()), value(request)).get()
                    || renew(request, request.lease(), key);
        }

        boolean renew(ClaimRequest request, Duration lease, String key) throws Exception {
            Optional<CASValue<Object>> mine = found(key).filter(found -> isOf(request, found));
            return mine.isPresent()
                    && client.cas(key, mine.get().getCas(), expiration(lease), value(request)) == CASResponse.OK;
        }

        boolean release(ClaimRequest request, String key, long validUntil) throws Exception {
            Optional<CASValue<Object>> mine = found(key).filter(found -> isOf(request, found));
            return mine.isPresent() && client.delete(key, mine.get().getCas()).get();
        }

        Optional<CASValue<Object>> found(String key) {
            return Optional.ofNullable(client.gets(key));
        }

        private static boolean isOf(ClaimRequest request, CASValue<Object> found) {
            return String.valueOf(found.getValue()).startsWith(request.owner());
        }

        @Override
        public Claim claim(ClaimRequest request, Runnable nudge) {
            String key = Claims.key(request.lock());
            return new Claim() {
                private long validUntil = System.nanoTime();

                @Override
                public boolean tryAcquire(Duration atMost) {
                    return granted(request.lease(), () -> WrongLock.this.tryAcquire(request, key));
                }

                @Override
                public boolean renew(Duration lease, Duration atMost) {
                    return granted(lease, () -> WrongLock.this.renew(request, lease, key));
                }

                private boolean granted(Duration lease, Callable<Boolean> question) {
                    long asked = System.nanoTime();
                    boolean granted = answered(question);
                    validUntil = granted ? asked + lease.toNanos() : validUntil;
                    return granted;
                }

                @Override
                public boolean release(Duration atMost) {
                    return answered(() -> WrongLock.this.release(request, key, validUntil));
                }
            };
        }

        private static boolean answered(Callable<Boolean> question) {
            try {
                return question.call();
            } catch (Exception unanswered) {
                throw new BackendException("no answer", unanswered);
            }
        }

        @Override
        public Set<Feature> features() {
            return Set.of();
        }

        @Override
        public LeaseBounds leaseBounds() {
            return new LeaseBounds(Duration.ofSeconds(1), LockItem.LONGEST_LEASE);
        }

        @Override
        public SafetyLevel safetyLevel() {
            return SafetyLevel.BEST_EFFORT;
        }

        @Override
        public void close() {
            client.shutdown();
        }
    }

    /** No mistake: what the others differ from. */
    static final class None extends WrongLock {
        None(String url) {
            super(url);
        }
    }

    /** W5: the lease in whole seconds. Half a second is none, and to memcached none means forever. */
    static final class RoundsDown extends WrongLock {
        RoundsDown(String url) {
            super(url);
        }

        @Override
        public LeaseBounds leaseBounds() {
            return LeaseBounds.WIDEST;
        }

        @Override
        int expiration(Duration lease) {
            return (int) lease.toSeconds();
        }
    }

    /** W6: the end of the lease stands in the value; whoever finds it over deletes the item and sets another. */
    static final class DeletesTheStaleAndSets extends WrongLock {
        DeletesTheStaleAndSets(String url) {
            super(url);
        }

        @Override
        int expiration(Duration lease) {
            return 60;
        }

        @Override
        String value(ClaimRequest request) {
            return request.owner() + " " + (System.nanoTime() + request.lease().toNanos());
        }

        @Override
        boolean tryAcquire(ClaimRequest request, String key) throws Exception {
            if (super.tryAcquire(request, key)) {
                return true;
            }
            if (found(key).filter(found -> end(found) - System.nanoTime() <= 0).isEmpty()) {
                return false;
            }
            pause(5);
            client.delete(key).get();
            return client.set(key, expiration(request.lease()), value(request)).get();
        }

        @Override
        boolean renew(ClaimRequest request, Duration lease, String key) throws Exception {
            return found(key)
                            .filter(found -> end(found) - System.nanoTime() > 0)
                            .isPresent()
                    && super.renew(request, lease, key);
        }

        private static long end(CASValue<Object> found) {
            return Long.parseLong(String.valueOf(found.getValue()).split(" ")[1]);
        }
    }

    /** W7: asks its own clock whether it still holds, and deletes whatever is there. */
    static final class TrustsItsOwnClock extends WrongLock {
        TrustsItsOwnClock(String url) {
            super(url);
        }

        @Override
        boolean release(ClaimRequest request, String key, long validUntil) throws Exception {
            boolean stillMine = validUntil - System.nanoTime() > 0;
            if (stillMine) {
                // The process is not running for a while, as processes do at the worst moment.
                pause(2_500);
                client.delete(key).get();
            }
            return stillMine;
        }
    }

    private static void pause(long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (end - System.nanoTime() > 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }
}
