// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck;

import io.mortise.lock.spi.Answer;
import io.mortise.lock.spi.BackendException;
import io.mortise.lock.spi.Claim;
import io.mortise.lock.spi.ClaimRequest;
import io.mortise.lock.spi.LeaseBounds;
import io.mortise.lock.spi.LockBackend;
import io.mortise.lock.spi.Renewal;
import io.mortise.lock.spi.support.ForwardingBackend;
import io.mortise.lock.spi.support.ForwardingClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Mistakes that an engine can make with a right store. Each stands between the two, and does what such an engine would. */
enum WrongEngine {
    NONE,
    /** W12: a renewal goes on after the release. */
    RENEWS_AFTER_THE_RELEASE {
        @Override
        boolean release(Claim claim, boolean granted, Duration lease, Duration atMost) {
            boolean held = claim.release(atMost);
            Thread watchdog = new Thread(() -> claim.renew(lease, atMost));
            watchdog.setDaemon(true);
            watchdog.start();
            return held;
        }
    },
    /** W13: one renewal that failed ends all renewals. */
    GIVES_UP_RENEWING {
        @Override
        List<Answer> renew(List<Renewal> renewals, boolean failedBefore, Function<List<Renewal>, List<Answer>> store) {
            return failedBefore ? Collections.nCopies(renewals.size(), Answer.UNKNOWN) : store.apply(renewals);
        }
    },
    /** Tells each holder of a batch what the next one was answered. */
    TELLS_THE_NEIGHBOUR {
        @Override
        List<Answer> renew(List<Renewal> renewals, boolean failedBefore, Function<List<Renewal>, List<Answer>> store) {
            List<Answer> answers = new ArrayList<>(store.apply(renewals));
            Collections.rotate(answers, -1);
            return answers;
        }
    },
    /** W17: a try without an answer counts as refused. */
    TAKES_SILENCE_FOR_BUSY {
        @Override
        boolean tryAcquire(Claim claim, Duration atMost) throws InterruptedException {
            try {
                return claim.tryAcquire(atMost);
            } catch (BackendException unanswered) {
                return false;
            }
        }
    },
    /** Asks a store that refuses again and again, as if it had not answered. */
    TAKES_REFUSAL_FOR_SILENCE {
        @Override
        boolean tryAcquire(Claim claim, Duration atMost) throws InterruptedException {
            try {
                return claim.tryAcquire(atMost);
            } catch (BackendException refused) {
                throw new BackendException("no answer", refused);
            }
        }
    },
    /** A refusal for good counts as "others hold it". */
    TAKES_REFUSAL_FOR_BUSY {
        @Override
        boolean tryAcquire(Claim claim, Duration atMost) throws InterruptedException {
            try {
                return claim.tryAcquire(atMost);
            } catch (BackendException failure) {
                if (failure.kind() == BackendException.Kind.REFUSED) {
                    return false;
                }
                throw failure;
            }
        }
    },
    /** A refused renewal counts as the loss of the lock. */
    GIVES_UP_WHEN_A_RENEWAL_IS_REFUSED {
        @Override
        List<Answer> renew(List<Renewal> renewals, boolean failedBefore, Function<List<Renewal>, List<Answer>> store) {
            try {
                return store.apply(renewals);
            } catch (BackendException refused) {
                return Collections.nCopies(renewals.size(), Answer.NO);
            }
        }
    },
    /** A refused release counts as one that found the lock lost. */
    TAKES_A_REFUSED_RELEASE_FOR_A_LOSS {
        @Override
        boolean release(Claim claim, boolean granted, Duration lease, Duration atMost) {
            try {
                return claim.release(atMost);
            } catch (BackendException refused) {
                return false;
            }
        }
    },
    /** W18: a waiter that gives up, by an interrupt for instance, does not leave the queue. */
    LEAVES_ITS_PLACE_BEHIND {
        @Override
        boolean release(Claim claim, boolean granted, Duration lease, Duration atMost) {
            return granted && claim.release(atMost);
        }
    },
    /** Forgets at the release that the lock is to be kept from others for a while. */
    FREES_WHAT_IS_TO_BE_KEPT {
        @Override
        boolean renewAlone(Claim claim, Duration lease, Duration atMost) {
            return claim.release(atMost);
        }
    },
    /** Keeps others out after each release, as if it were an unclean end. */
    DELAYS_AFTER_EACH_RELEASE {
        @Override
        boolean release(Claim claim, boolean granted, Duration lease, Duration atMost) {
            return granted ? claim.renew(lease, atMost) : claim.release(atMost);
        }
    },
    /** Knows of a delay in the client only: the store is asked for no more than the holder relies on. */
    DELAYS_IN_THE_CLIENT_ONLY {
        @Override
        ClaimRequest asked(ClaimRequest wanted) {
            Duration lease = new WrongEngineTck().lease();
            return wanted.lease().compareTo(lease) <= 0
                    ? wanted
                    : new ClaimRequest(
                            wanted.lock(),
                            wanted.owner(),
                            wanted.label(),
                            lease,
                            wanted.waits(),
                            wanted.tokenFloor(),
                            wanted.tokenCount());
        }
    },
    /** Promises to keep others out where the store keeps nothing of a holder that has gone. */
    PROMISES_WHAT_NO_STORE_KEEPS {
        @Override
        LeaseBounds bounds(LeaseBounds declared) {
            return new LeaseBounds(declared.shortest(), declared.longest());
        }
    },
    /** W20: goes on believing in a lease that nobody has confirmed. */
    BELIEVES_WITHOUT_AN_ANSWER {
        @Override
        List<Answer> renew(List<Renewal> renewals, boolean failedBefore, Function<List<Renewal>, List<Answer>> store) {
            return store.apply(renewals).stream()
                    .map(answer -> answer == Answer.UNKNOWN ? Answer.YES : answer)
                    .toList();
        }
    },
    /** Tells other threads of the client that the lock is busy, while the store has not answered the first of them. */
    TAKES_ITS_OWN_QUESTION_FOR_A_HOLDER {
        @Override
        boolean refuses(boolean unansweredBefore) {
            return unansweredBefore;
        }
    },
    /** Makes a lease longer for its holder only: the store is asked for the length that the lease had at first. */
    RENEWS_TO_THE_FIRST_LENGTH {
        @Override
        Duration renewedTo(Duration first, Duration wanted) {
            return first;
        }
    };

    Duration renewedTo(Duration first, Duration wanted) {
        return wanted;
    }

    /** What the store is asked for. */
    ClaimRequest asked(ClaimRequest wanted) {
        return wanted;
    }

    /** What it makes of what the store declares. */
    LeaseBounds bounds(LeaseBounds declared) {
        return declared;
    }

    /** Whether a try is refused without asking the store. */
    boolean refuses(boolean unansweredBefore) {
        return false;
    }

    boolean tryAcquire(Claim claim, Duration atMost) throws InterruptedException {
        return claim.tryAcquire(atMost);
    }

    boolean release(Claim claim, boolean granted, Duration lease, Duration atMost) {
        return claim.release(atMost);
    }

    /** The engine renews a claim alone only when its lease is over for the holder, and the lock is to be kept from others. */
    boolean renewAlone(Claim claim, Duration lease, Duration atMost) {
        return claim.renew(lease, atMost);
    }

    List<Answer> renew(List<Renewal> renewals, boolean failedBefore, Function<List<Renewal>, List<Answer>> store) {
        return store.apply(renewals);
    }

    /** The store, as an engine with this mistake treats it. */
    LockBackend over(LockBackend store) {
        return new TreatedBackend(store);
    }

    private final class TreatedBackend extends ForwardingBackend {
        private final Set<String> unanswered = ConcurrentHashMap.newKeySet();
        private volatile boolean failed;

        TreatedBackend(LockBackend store) {
            super(store);
        }

        @Override
        public Claim claim(ClaimRequest request, Runnable nudge) {
            return new TreatedClaim(super.claim(asked(request), nudge), request, unanswered);
        }

        @Override
        public LeaseBounds leaseBounds() {
            return bounds(super.leaseBounds());
        }

        @Override
        public List<Answer> renewAll(List<Renewal> renewals, Duration atMost) {
            List<Renewal> inner = renewals.stream()
                    .map(renewal -> ((TreatedClaim) renewal.claim()).toStore(renewal.lease()))
                    .toList();
            List<Answer> answers = renew(inner, failed, asked -> super.renewAll(asked, atMost));
            failed |= answers.contains(Answer.UNKNOWN);
            return answers;
        }
    }

    private final class TreatedClaim extends ForwardingClaim {
        private final ClaimRequest request;
        private final Set<String> unanswered;
        private volatile boolean granted;

        TreatedClaim(Claim claim, ClaimRequest request, Set<String> unanswered) {
            super(claim);
            this.request = request;
            this.unanswered = unanswered;
        }

        Renewal toStore(Duration lease) {
            return new Renewal(inner(), renewedTo(request.lease(), lease));
        }

        @Override
        public boolean tryAcquire(Duration atMost) throws InterruptedException {
            if (refuses(unanswered.contains(request.lock()))) {
                return false;
            }
            try {
                granted = WrongEngine.this.tryAcquire(inner(), atMost);
                return granted;
            } catch (BackendException noAnswer) {
                unanswered.add(request.lock());
                throw noAnswer;
            }
        }

        @Override
        public boolean renew(Duration lease, Duration atMost) {
            return WrongEngine.this.renewAlone(inner(), renewedTo(request.lease(), lease), atMost);
        }

        @Override
        public boolean release(Duration atMost) {
            return WrongEngine.this.release(inner(), granted, request.lease(), atMost);
        }
    }
}
