// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

package io.mortise.lock.tck.wrong;

import io.mortise.lock.spi.BackendException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** Wrong ways to ask. */
final class WrongTries {
    private WrongTries() {}

    /** W6: on an old time stamp it deletes and sets, in two steps: two who find it old both hold. */
    static final class DeletesTheStaleAndSets extends TinyStore {
        @Override
        boolean tryAcquire(TinyClaim claim) {
            synchronized (this) {
                if (live(claim) != null || !entries.containsKey(key(claim))) {
                    return super.tryAcquire(claim);
                }
            }
            TinyBackend.pause(3);
            synchronized (this) {
                entries.remove(key(claim));
                grant(claim);
                return true;
            }
        }
    }

    /** W9: reads the version, and writes without comparing it. */
    static final class WritesWithoutComparing extends TinyStore {
        @Override
        boolean tryAcquire(TinyClaim claim) {
            boolean free;
            synchronized (this) {
                free = live(claim) == null;
            }
            if (!free) {
                return super.tryAcquire(claim);
            }
            TinyBackend.pause(3);
            synchronized (this) {
                grant(claim);
                return true;
            }
        }
    }

    /** W14: one owner for the whole process. */
    static final class OneOwnerPerProcess extends TinyStore {
        @Override
        String owner(TinyClaim claim) {
            return "host:" + ProcessHandle.current().pid();
        }
    }

    /** W14: one owner for each client. */
    static final class OneOwnerPerClient extends TinyStore {
        @Override
        String owner(TinyClaim claim) {
            return "client " + System.identityHashCode(claim.backend);
        }
    }

    /** W14: one owner for each label, which is who people say they are. */
    static final class TheLabelIsTheOwner extends TinyStore {
        @Override
        String owner(TinyClaim claim) {
            return claim.request.label();
        }
    }

    /** W17: no answer is taken for "busy". */
    static final class SilenceIsBusy extends TinyStore {
        @Override
        boolean unanswered(Duration atMost) {
            return false;
        }
    }

    /** A refusal for good is taken for no answer. */
    static final class RefusalIsSilence extends TinyStore {
        @Override
        boolean refused() {
            throw new BackendException("permission denied", null);
        }
    }

    /** A refusal for good is taken for "busy", and for "not yours". */
    static final class RefusalIsBusy extends TinyStore {
        @Override
        boolean refused() {
            return false;
        }
    }

    /** Waits for the store for ever. */
    static final class WaitsForEver extends TinyStore {
        @Override
        boolean unanswered(Duration atMost) {
            while (isPaused()) {
                LockSupport.parkNanos(1_000_000);
            }
            throw new BackendException("it took a while", null);
        }
    }

    /** A waiter keeps its connection while it waits, and there are ten. */
    static final class WaitersOccupyConnections extends TinyStore {
        private final Set<TinyClaim> connected = new HashSet<>();

        @Override
        synchronized boolean tryAcquire(TinyClaim claim) {
            if (claim.request.waits() && connected.size() == 10 && !connected.contains(claim)) {
                throw new BackendException("no connection is left", null);
            }
            boolean granted = super.tryAcquire(claim);
            if (claim.request.waits()) {
                connected.add(claim);
            }
            return granted;
        }

        @Override
        synchronized boolean release(TinyClaim claim) {
            connected.remove(claim);
            return super.release(claim);
        }
    }

    /** Refuses its own holder: a client whose first reply was lost waits for itself. */
    static final class DoesNotKnowItsOwn extends TinyStore {
        @Override
        synchronized boolean tryAcquire(TinyClaim claim) {
            return live(claim) == null && super.tryAcquire(claim);
        }
    }

    /** The loser of a race for a new row gets an exception. */
    static final class LostRacesThrow extends TinyStore {
        private final Set<String> rows = new HashSet<>();

        @Override
        boolean tryAcquire(TinyClaim claim) {
            boolean missing;
            synchronized (this) {
                missing = !rows.contains(key(claim));
            }
            if (missing) {
                TinyBackend.pause(2);
            }
            synchronized (this) {
                if (missing && !rows.add(key(claim))) {
                    throw new BackendException("duplicate key", null);
                }
                return super.tryAcquire(claim);
            }
        }
    }

    /** A plain try leaves a place in a queue, which keeps a free lock for itself. */
    static final class PlainTriesQueue extends TinyStore {
        private final Set<String> gone = new HashSet<>();

        @Override
        synchronized boolean tryAcquire(TinyClaim claim) {
            if (live(claim) == null && gone.remove(key(claim))) {
                return false;
            }
            boolean granted = super.tryAcquire(claim);
            if (!granted && !claim.request.waits()) {
                gone.add(key(claim));
            }
            return granted;
        }
    }

    /** The column for the owner has room for half of it. */
    static final class CutsOwners extends TinyStore {
        @Override
        String owner(TinyClaim claim) {
            return super.owner(claim).substring(0, 16);
        }
    }

    /** The owner is kept as a 32-bit hash. */
    static final class HashesOwners extends TinyStore {
        @Override
        String owner(TinyClaim claim) {
            return String.valueOf(super.owner(claim).hashCode());
        }
    }

    /** Tells whoever is refused that the holder's lease lasts for ten seconds, whatever it is. */
    static final class TellsAnEstimate extends TinyStore {
        @Override
        Optional<Duration> retryAfter(TinyClaim claim) {
            return Optional.of(Duration.ofSeconds(10));
        }
    }
}
