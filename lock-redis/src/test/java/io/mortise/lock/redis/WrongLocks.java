// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.redis;

import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** What tutorials teach. Where a mistake shows only if somebody comes between two calls, somebody comes. */
@SuppressWarnings("deprecation") // what tutorials call is old
final class WrongLocks {
    private WrongLocks() {}

    /** W1: takes the lock, and gives it an end in a second call. */
    static class ExpiresInASecondCall extends SmallLock {
        ExpiresInASecondCall(String url) {
            super(url);
        }

        @Override
        boolean tryAcquire(String key, ClaimRequest request) {
            boolean granted =
                    redis.setnx(key, request.owner()) == 1 || request.owner().equals(redis.get(key));
            if (granted) {
                expire(key, request.lease());
            }
            return granted;
        }

        void expire(String key, Duration lease) {
            redis.pexpire(key, lease.toMillis());
        }
    }

    /** W2: the value is the end of the lease by the client's clock, and whoever finds it passed puts its own there. */
    static class StealsByTheClock extends SmallLock {
        private final Map<String, String> ends = new ConcurrentHashMap<>();

        StealsByTheClock(String url) {
            super(url);
        }

        long now() {
            return System.currentTimeMillis();
        }

        @Override
        boolean tryAcquire(String key, ClaimRequest request) {
            return take(key, request, request.lease());
        }

        private boolean take(String key, ClaimRequest request, Duration lease) {
            String seen = redis.get(key);
            boolean held = seen != null && Long.parseLong(seen) >= now();
            if (held && !seen.equals(ends.get(request.owner()))) {
                return false;
            }
            unlucky(Duration.ofMillis(30), () -> !Objects.equals(seen, redis.get(key)));
            String end = String.valueOf(now() + lease.toMillis());
            String before = redis.getSet(key, end);
            if (Objects.equals(seen, before)) {
                ends.put(request.owner(), end);
                return true;
            }
            return false;
        }

        @Override
        boolean renew(String key, ClaimRequest request, Duration lease) {
            return isMine(key, request) && take(key, request, lease);
        }

        @Override
        boolean release(String key, ClaimRequest request) {
            return isMine(key, request) && redis.del(key) == 1;
        }

        private boolean isMine(String key, ClaimRequest request) {
            String end = ends.get(request.owner());
            return end != null && Long.parseLong(end) >= now() && end.equals(redis.get(key));
        }
    }

    /** W2, with clients whose clocks differ. */
    static final class StealsByItsOwnClock extends StealsByTheClock {
        private static final AtomicInteger CLIENTS = new AtomicInteger();
        private final long ahead =
                CLIENTS.getAndIncrement() * Duration.ofHours(1).toMillis();

        StealsByItsOwnClock(String url) {
            super(url);
        }

        @Override
        long now() {
            return super.now() + ahead;
        }
    }

    /** W3: deletes without asking whose it is. */
    static final class DeletesAnybodys extends SmallLock {
        DeletesAnybodys(String url) {
            super(url);
        }

        @Override
        boolean release(String key, ClaimRequest request) {
            return redis.del(key) == 1;
        }
    }

    /** W4: gets and compares, and deletes in a second call. */
    static final class ComparesThenDeletes extends SmallLock {
        ComparesThenDeletes(String url) {
            super(url);
        }

        @Override
        boolean release(String key, ClaimRequest request) {
            boolean mine = request.owner().equals(redis.get(key));
            unlucky(Duration.ofMillis(mine ? 500 : 0), () -> {
                String holder = redis.get(key);
                return holder != null && !holder.equals(request.owner());
            });
            return mine && redis.del(key) == 1;
        }
    }

    /** W5: the lease in whole seconds, so that half a second is none. */
    static final class RoundsToSeconds extends ExpiresInASecondCall {
        RoundsToSeconds(String url) {
            super(url);
        }

        @Override
        void expire(String key, Duration lease) {
            redis.expire(key, lease.toSeconds());
        }
    }

    /** W19: tells the waiters, and deletes after that. */
    static final class TellsBeforeItDeletes extends NudgingLock {
        TellsBeforeItDeletes(String url) {
            super(url);
        }

        @Override
        boolean release(String key, ClaimRequest request) {
            long before = REFUSALS.get();
            redis.publish(key, "free");
            unlucky(Duration.ofSeconds(1), () -> REFUSALS.get() > before);
            return ifMine(key, request, "redis.call('DEL', KEYS[1])");
        }
    }

    /** Looks, and listens after that: what was said in between it has not heard. */
    static final class LooksBeforeItListens extends NudgingLock {
        LooksBeforeItListens(String url) {
            super(url);
        }

        @Override
        boolean lookAndListen(Look look, Runnable listen, Duration atMost) throws InterruptedException {
            boolean granted = look.look(atMost);
            if (!granted) {
                long before = FREED.get();
                unlucky(Duration.ofSeconds(1), () -> FREED.get() > before);
                listen.run();
            }
            return granted;
        }
    }

    /** Takes being called for being granted: any message to the claim counts. */
    static LockBackend believesMessages(LockBackend right) {
        return new ForwardingBackend(right) {
            @Override
            public Claim claim(ClaimRequest request, Runnable nudge) {
                AtomicBoolean called = new AtomicBoolean();
                Claim inner = super.claim(request, () -> {
                    called.set(true);
                    nudge.run();
                });
                return new ForwardingClaim(inner) {
                    @Override
                    public boolean tryAcquire(Duration atMost) throws InterruptedException {
                        boolean granted = super.tryAcquire(atMost);
                        return granted || called.get();
                    }
                };
            }

            @Override
            public List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
                return renewOneByOne(renewals, atMost);
            }
        };
    }

    /** Takes whatever the server says that is not yes for a no. */
    static LockBackend takesRefusalsForNo(LockBackend right) {
        return new ForwardingBackend(right) {
            @Override
            public Claim claim(ClaimRequest request, Runnable nudge) {
                return new ForwardingClaim(super.claim(request, nudge)) {
                    @Override
                    public boolean tryAcquire(Duration atMost) throws InterruptedException {
                        try {
                            return super.tryAcquire(atMost);
                        } catch (BackendException refused) {
                            return false;
                        }
                    }
                };
            }
        };
    }
}
